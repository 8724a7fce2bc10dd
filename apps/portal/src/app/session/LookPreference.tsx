import { type NumberWriting, numberWritings } from '@longreach/ui/number-writing'
import { type TemperatureUnit, temperatureUnits } from '@longreach/ui/shown-unit'
import { rowHeights } from '@longreach/ui/table-layout'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { type Hours, type Scheme, useLook } from '../../parts/look/look.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { inBrowser } from '../../parts/kept/remembered.ts'
import { browserZone } from '../../parts/look/time-zone.ts'

const params = { user: 'mine', service: 'portal', property: 'look' }
const schemes = ['light', 'dark', 'auto'] as const
const clocks = ['auto', '12', '24'] as const
const densities = Object.keys(rowHeights) as (keyof typeof rowHeights)[]
type Kept = ReturnType<typeof keptIn>

type Shown = {
  scheme: Scheme
  zone: string
  hours: Hours
  numbers: NumberWriting
  temperature: TemperatureUnit
}

function preferencesText({ scheme, zone, hours, numbers, temperature }: Shown) {
  const density = inBrowser.get<string | undefined>('table.density', undefined)
  return JSON.stringify({
    scheme,
    density,
    ...(zone !== browserZone() && { zone }),
    ...(hours !== 'auto' && { hours }),
    ...(numbers !== 'auto' && { numbers }),
    ...(temperature !== 'auto' && { temperature }),
  })
}

/** Choices in a kept text; what this version of the portal does not know is left out. */
function keptIn(text: string) {
  const raw = (JSON.parse(text) ?? {}) as Record<string, unknown> // each choice is looked at
  const choice = <C extends string>(choices: readonly C[], name: string) =>
    choices.find((one) => one === raw[name])
  return {
    scheme: choice(schemes, 'scheme'),
    zone: typeof raw['zone'] === 'string' ? raw['zone'] : undefined,
    hours: choice(clocks, 'hours'),
    numbers: choice(numberWritings, 'numbers'),
    temperature: choice(temperatureUnits, 'temperature'),
    density: choice(densities, 'density'),
  }
}

/** Saved preferences; those that are not saved stay as they are. */
const adopted = (shown: Shown, kept: Kept): Shown => ({
  scheme: kept.scheme ?? shown.scheme,
  zone: kept.zone ?? shown.zone,
  hours: kept.hours ?? shown.hours,
  numbers: kept.numbers ?? shown.numbers,
  temperature: kept.temperature ?? shown.temperature,
})

/** Colors, time zone, hours, numbers, unit of temperatures and row height go with the person to every browser. */
export function LookPreference() {
  const look = useLook()
  const { scheme, setScheme, zone, setZone, hours, setHours, numbers, setNumbers } = look
  const { temperature, setTemperature } = look
  const [begun] = useState<Shown>({ scheme, zone, hours, numbers, temperature })
  const shown = useRef(begun)
  const asked = useRef(false)
  /** Saved preferences as text; nothing is saved before they are known, not even when the tab is hidden. */
  const known = useRef<string>(undefined)
  useEffect(() => {
    shown.current = { scheme, zone, hours, numbers, temperature }
    const save = async () => {
      const next = preferencesText(shown.current)
      if (known.current === undefined || next === known.current) return
      known.current = next
      await api.core.setProperty({ params, body: next })
    }
    const settle = async () => {
      const text = await api.core.property({ params })
      const kept = keptIn(text ?? '{}')
      if (kept.density) inBrowser.set('table.density', kept.density)
      known.current = preferencesText(begun)
      // What the person chose meanwhile counts.
      const { current } = shown
      if (preferencesText(current) !== preferencesText(begun)) return save()
      const next = adopted(begun, kept)
      if (next.scheme !== begun.scheme) setScheme(next.scheme)
      if (next.zone !== begun.zone) setZone(next.zone)
      if (next.hours !== begun.hours) setHours(next.hours)
      if (next.numbers !== begun.numbers) setNumbers(next.numbers)
      if (next.temperature !== begun.temperature) setTemperature(next.temperature)
    }
    const failed = (cause: unknown) => reportProblem('The preferences could not be kept', cause)
    if (asked.current) save().catch(failed)
    else settle().catch(failed)
    asked.current = true
    // Another page's change of the row height is kept when this tab is left.
    const leaving = () => void save().catch(failed)
    window.addEventListener('pagehide', leaving)
    return () => window.removeEventListener('pagehide', leaving)
  }, [
    begun,
    scheme,
    setScheme,
    zone,
    setZone,
    hours,
    setHours,
    numbers,
    setNumbers,
    temperature,
    setTemperature,
  ])
  return null
}
