import {
  type DeviceColumns,
  inCallSql,
  inGroupsSql,
  inSightSql,
} from '@longreach/authorization/device-visibility'
import type { Action } from '@longreach/authorization/permissions'
import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type RawBuilder, sql } from 'kysely'

const columns: DeviceColumns = {
  organization: 'device.organization',
  groups: ['device.groups && ', '::int[]'],
}

/** Rows of organizations within the reach; `column` holds resourceIds. */
export const within = (reach: Reach, column: string) => where(isWithinSql(reach, column))

/** Devices of the call on which the caller may do `action`, without those in the trash. */
export const devicesFor = (ctx: OrgCtx, action: Action): RawBuilder<boolean> =>
  sql<boolean>`(device.deleted_at is null and ${where(inCallSql(ctx, action, columns))})`

/** Devices here and below on which the caller may do `action`, without those in the trash. */
export const devicesInSight = (ctx: OrgCtx, action: Action): RawBuilder<boolean> =>
  sql<boolean>`(device.deleted_at is null and ${where(inSightSql(ctx, action, columns))})`

/** Devices in the trash that the caller may delete, and so see there and restore. */
export const trashFor = (ctx: OrgCtx): RawBuilder<boolean> =>
  sql<boolean>`(device.deleted_at is not null and ${where(inCallSql(ctx, 'delete', columns))})`

/** Devices of any organization in the device groups where the caller may do `action`, for counts. */
export const inGroupsOf = ({ capability }: OrgCtx, action: Action): RawBuilder<boolean> =>
  where(inGroupsSql(capability, action, columns.groups))
