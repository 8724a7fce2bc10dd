import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { type TagWithValue, useTags } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'

/** A tag that the device announces, with its newest value where it is sent already. */
export type DeviceTag = {
  name: string
  type: string
  last: TagWithValue['last']
}

/** Tags that the device offers, with the values that it sends now. */
export function useDeviceTags(deviceId: string | undefined): {
  tags: readonly DeviceTag[]
  /** Newest values by the path that they have now. */
  values: ReadonlyMap<string, TagWithValue>
  pending: boolean
} {
  const org = useReach()
  const asked = { params: { org, deviceId: deviceId ?? '' } }
  const announced = useQuery({
    ...query(api.platform.availableTags, asked),
    enabled: deviceId !== undefined,
  })
  const { tags: sent } = useTags(deviceId ?? '')
  const bySource = useMemo(
    () =>
      new Map(
        sent.flatMap((tag) =>
          tag.source === undefined ? [] : [[placed(tag.source, tag.path), tag]],
        ),
      ),
    [sent],
  )
  const tags = useMemo(() => {
    const offered = (announced.data ?? []).map(({ name, type }) => ({ name, type }))
    const names = new Set(offered.map(({ name }) => name))
    // Linked tags that the device does not announce (any more) can be linked all the same.
    const others = [...bySource].flatMap(([name, { type }]) =>
      names.has(name) ? [] : [{ name, type }],
    )
    return [...offered, ...others].map((tag) => ({ ...tag, last: bySource.get(tag.name)?.last }))
  }, [announced.data, bySource])
  return {
    tags,
    values: bySource,
    pending: announced.isPending && announced.fetchStatus !== 'idle',
  }
}

/** The tag's name with the indexes of its path for `${0}`, `${1}` … */
function placed(source: string, path: string) {
  const indexes = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => index)
  return source.replaceAll(
    /\$\{(\d+)\}/g,
    (whole, place: string) => indexes[Number(place)] ?? whole,
  )
}
