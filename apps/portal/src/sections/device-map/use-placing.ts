import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { placesChanged } from './map-calls.ts'

export type Spot = { lat: number; lon: number }
type Placed = { id: string; label: string }

/** Puts a device somewhere, and says so with the way back. */
export function usePlacing() {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useReach()
  return useCallback(
    async ({ id, label }: Placed, position: Spot, before: Spot | null) => {
      const put = (to: Spot | null) =>
        api.mappings.updateDevice({
          params: { id },
          query: { organization },
          body: { position: to && rounded(to) },
        })
      const failed = (error: unknown) =>
        toast({ kind: 'failed', message: errorText(error).message })
      const back = () => void put(before).catch(failed).then(placesChanged)
      try {
        await put(position)
        const action = { label: t('device-map.undo'), run: back }
        toast({ message: t('device-map.moved', { device: label }), action })
      } catch (error) {
        failed(error)
      }
      await placesChanged()
    },
    [organization, toast, t, errorText],
  )
}

/** About a hand's width: more digits say nothing. */
const rounded = ({ lat, lon }: Spot) => ({
  lat: Math.round(lat * 1e6) / 1e6,
  lon: Math.round(lon * 1e6) / 1e6,
})
