import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'

type Of<K extends 'storage' | 'deviceStorage' | 'retention'> = Result<
  (typeof platformContract.endpoints)[K]
>
export type Used = Of<'storage'>
export type UsedDevice = Used['devices'][number]
export type UsedPath = Of<'deviceStorage'>[number]
export type Rule = Of<'retention'>['rules'][number]

const useOrg = () => useSession().organization.resourceId

export const storageQuery = (org: string) => query(api.platform.storage, { params: { org } })

export const useStorage = () => useQuery(storageQuery(useOrg()))
export const useRetention = () =>
  useQuery(query(api.platform.retention, { params: { org: useOrg() } }))
export const useDeviceStorage = ({ organization, deviceId }: UsedDevice) =>
  useQuery(query(api.platform.deviceStorage, { params: { org: organization, deviceId } }))

/** Rules changed: how long paths are kept is another now. */
export const rulesChanged = () =>
  Promise.all([stale(api.platform.retention), stale(api.platform.deviceStorage)])
