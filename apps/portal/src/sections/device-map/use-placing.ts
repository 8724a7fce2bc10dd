import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { placesChanged } from './map-calls.ts'

export type Spot = { lat: number; lon: number }
type Placed = { id: string; label: string }
type Placing = { device: Placed; to: Spot; before: Spot | null }

/** Puts a device somewhere, and says so with the way back; throws what the server refuses. */
export function usePlacing() {
  const t = useWords()
  const toast = useToast()
  const failed = useFailed()
  const organization = useReach()
  return useCallback(
    async ({ device: { id, label }, to, before }: Placing) => {
      const put = (position: Spot | null) =>
        api.mappings
          .updateDevice({
            params: { id },
            query: { organization },
            body: { position: position && rounded(position) },
          })
          .finally(placesChanged)
      await put(to)
      const action = { label: t('device-map.undo'), run: () => void put(before).catch(failed) }
      toast({ message: t('device-map.moved', { device: label }), action })
    },
    [organization, toast, t, failed],
  )
}

/** Puts a device somewhere on the map, where a refusal has no form to stand in. */
export function usePlacingOnMap() {
  const place = usePlacing()
  const failed = useFailed()
  return useCallback((placing: Placing) => void place(placing).catch(failed), [place, failed])
}

function useFailed() {
  const toast = useToast()
  const errorText = useErrorText()
  return useCallback(
    (error: unknown) => toast({ kind: 'failed', message: errorText(error).message }),
    [toast, errorText],
  )
}

/** About a hand's width: more digits say nothing. */
const rounded = ({ lat, lon }: Spot) => ({
  lat: Math.round(lat * 1e6) / 1e6,
  lon: Math.round(lon * 1e6) / 1e6,
})
