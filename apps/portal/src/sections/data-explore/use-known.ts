import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { configurationQuery, deviceQuery, seriesQuery } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'
import { knownTags, type Tag } from '../../parts/devices/tags.ts'
import type { Line } from './explore-url.ts'

/** Labels and tags of some devices, as far as they are known; the same object until something is learnt. */
export function useKnown(devices: readonly string[]) {
  const org = useReach()
  const details = useQueries({
    queries: devices.map((id) => deviceQuery(org, id)),
    combine: dataOf,
  })
  const series = useQueries({ queries: devices.map((id) => seriesQuery(org, id)), combine: dataOf })
  const configurations = useQueries({
    queries: devices.map((id) => configurationQuery(org, id)),
    combine: dataOf,
  })
  return useMemo(() => {
    const labels = new Map<string, string>()
    const tags = new Map<string, Map<string, Tag>>()
    for (const [index, device] of devices.entries()) {
      labels.set(device, details.all[index]?.value.label ?? device.slice(0, 6))
      const configuration = configurations.all[index]?.configurationJson
      const known = knownTags(series.all[index] ?? [], configuration)
      tags.set(device, new Map(known.map((tag) => [tag.path, tag])))
    }
    return {
      pending: series.pending,
      labelOf: (device: string) => labels.get(device) ?? device.slice(0, 6),
      tagOf: ({ device, path }: Pick<Line, 'device' | 'path'>) => tags.get(device)?.get(path),
    }
  }, [devices, details, series, configurations])
}

const dataOf = <T>(results: UseQueryResult<T>[]) => ({
  pending: results.some(({ isPending }) => isPending),
  all: results.map(({ data }) => data),
})
