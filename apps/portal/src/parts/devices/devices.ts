import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../api/api.ts'
import { useLiveValues } from '../live/live.ts'
import type { LiveValue } from '../live/live-store.ts'
import { useReach } from '../session/reach.ts'
import { knownTags, type Tag, withArrived } from './tags.ts'

/** One device with everything that is known of it. */
export const deviceQuery = (org: string, id: string) =>
  query(api.mappings.device, { params: { id }, query: { organization: org } })

/** The paths of a device with their newest values, as stored. */
export const seriesQuery = (org: string, deviceId: string) =>
  query(api.platform.series, { params: { org, deviceId } })

/** The configuration that the device shall apply, and what it says it applies. */
export const configurationQuery = (org: string, deviceId: string) =>
  query(api.platform.configuration, { params: { org, deviceId } })

export type TagWithValue = Tag & { last: Pick<LiveValue, 'value' | 'at' | 'quality'> | undefined }

/**
 * The tags of a device with their newest values: from its configuration, from what is stored, and
 * live from the socket. `pending` until the first answer is there; none of no device (`''`).
 */
export function useTags(
  device: string,
  { live = true, maxHz = 2 }: { live?: boolean; maxHz?: number } = {},
) {
  const org = useReach()
  const enabled = device !== ''
  const stored = useQuery({ ...seriesQuery(org, device), enabled })
  const configuration = useQuery({ ...configurationQuery(org, device), enabled })
  const arrived = useLiveValues(live && enabled ? device : undefined, '**', maxHz)
  const known = useMemo(
    () => knownTags(stored.data ?? [], configuration.data?.configurationJson),
    [stored.data, configuration.data],
  )
  const tags = useMemo((): TagWithValue[] => {
    const before = new Map(
      (stored.data ?? []).map(({ modelPath, last }) => [
        modelPath,
        last ? { value: last.v, at: last.t, quality: last.q } : undefined,
      ]),
    )
    return withArrived(known, arrived).map((tag) => ({
      ...tag,
      last: arrived.get(tag.path) ?? before.get(tag.path),
    }))
  }, [known, stored.data, arrived])
  return {
    tags,
    pending: stored.isPending,
    error: stored.error,
    retry: () => void stored.refetch(),
  }
}
