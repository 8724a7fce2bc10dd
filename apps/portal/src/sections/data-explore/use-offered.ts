import { AppError } from '@longreach/kit/errors'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { configurationQuery, deviceQuery, seriesQuery } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'
import { knownTags } from '../../parts/devices/tags.ts'
import type { DeviceValue } from './use-kept-values.ts'

/** Values as they are called now, without those that are gone or that the person may no longer see. */
export function useOffered(values: readonly DeviceValue[]) {
  const org = useReach()
  const devices = [...new Set(values.map(({ device }) => device))]
  const details = useQueries({ queries: devices.map((id) => deviceQuery(org, id)), combine })
  const series = useQueries({ queries: devices.map((id) => seriesQuery(org, id)), combine })
  const configurations = useQueries({
    queries: devices.map((id) => configurationQuery(org, id)),
    combine,
  })
  return values.flatMap((value) => {
    const at = devices.indexOf(value.device)
    const [detail, stored, configuration] = [details[at], series[at], configurations[at]]
    if (!detail || !stored) return []
    const tags = knownTags(stored, configuration?.configurationJson)
    const tag = tags.find(({ path }) => path === value.path)
    return tag ? [{ ...value, label: detail.value.label, name: tag.name }] : []
  })
}

/** Data of the answers; undefined for a request that the server refuses now, even when it was allowed before. */
const combine = <T>(results: UseQueryResult<T>[]) =>
  results.map(({ data, error }) => (error instanceof AppError ? undefined : data))
