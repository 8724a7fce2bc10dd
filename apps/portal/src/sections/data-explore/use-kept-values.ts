import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { useSession } from '../../parts/session/session.ts'

/** A value of a device. */
export type DeviceValue = { device: string; path: string }

export const isSameValue = (one: DeviceValue, other: DeviceValue) =>
  one.device === other.device && one.path === other.path

/** A list of values that a person has in this organization; kept with the person, on every machine. */
export function useKeptValues(serviceName: string, most: number) {
  const org = useSession().organization.resourceId
  const question = query(api.core.userPreferences, { params: { org }, query: { serviceName } })
  const { data } = useQuery(question)
  const keep = async (next: readonly DeviceValue[]) => {
    const value = JSON.stringify(next)
    // Shown at once; what the server keeps is asked again afterwards.
    queries.setQueryData(question.queryKey, [
      { id: 0, orgResourceId: org, username: '', serviceName, value, value1: value },
    ])
    await api.core.setUserPreference({ params: { org }, body: { serviceName, value } })
  }
  return { known: data !== undefined, values: readValues(data?.[0]?.value, most), keep }
}

/** Values from what was kept; what does not read as some is none. */
export function readValues(text: string | undefined, most: number): DeviceValue[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isDeviceValue).slice(0, most) : []
  } catch {
    return [] // another program wrote it
  }
}

const isDeviceValue = (value: unknown): value is DeviceValue =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as DeviceValue).device === 'string' &&
  typeof (value as DeviceValue).path === 'string'
