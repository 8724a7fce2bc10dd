import '../lib/schemas-without-eval.ts'
import { rowHeights } from '@longreach/ui/table-layout'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { api } from '../lib/api.ts'
import { useLook } from '../lib/look.ts'
import { reportProblem } from '../lib/problems.ts'
import { inBrowser } from '../lib/remembered.ts'
import { browserZone } from '../lib/time-zone.ts'

const params = { user: 'mine', service: 'portal', property: 'look' }
const Kept = z.object({
  scheme: z.enum(['light', 'dark', 'auto']).optional(),
  zone: z.string().optional(),
  density: z.enum(Object.keys(rowHeights) as (keyof typeof rowHeights)[]).optional(),
})

/** Colours, time zone and row height go with the person to every browser. */
export function LookPreference() {
  const { scheme, setScheme, zone, setZone } = useLook()
  const known = useRef<string>(undefined)
  useEffect(() => {
    const now = () => {
      const density = inBrowser.get<string | undefined>('table.density', undefined)
      return JSON.stringify({ scheme, density, ...(zone !== browserZone() && { zone }) })
    }
    const settle = async () => {
      const text = await api.core.property({ params })
      const kept = Kept.safeParse(JSON.parse(text ?? '{}'))
      known.current = now()
      if (!kept.success) return
      if (kept.data.density) inBrowser.set('table.density', kept.data.density)
      if (kept.data.scheme && kept.data.scheme !== scheme) setScheme(kept.data.scheme)
      if (kept.data.zone && kept.data.zone !== zone) setZone(kept.data.zone)
    }
    const save = async () => {
      const next = now()
      if (next === known.current) return
      known.current = next
      await api.core.setProperty({ params, body: next })
    }
    const failed = (cause: unknown) => reportProblem('The preferences could not be kept', cause)
    if (known.current === undefined) settle().catch(failed)
    else save().catch(failed)
    // Another page's change of the row height is kept when this tab is left.
    const leaving = () => void save().catch(failed)
    window.addEventListener('pagehide', leaving)
    return () => window.removeEventListener('pagehide', leaving)
  }, [scheme, setScheme, zone, setZone])
  return null
}
