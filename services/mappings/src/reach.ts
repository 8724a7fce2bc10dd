import {
  alarmAttributes,
  everyAlarmSql,
  isAlarmAttribute,
} from '@longreach/authorization/alarm-visibility'
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

/** Rights of a caller that decide what they see of a device. */
export type Rights = Pick<OrgCtx, 'capability'>

/** Attributes of a device as `attributesInSight` of packages/authorization shows them. */
export const attributesFor = ({ capability }: Rights): RawBuilder<unknown> =>
  sql`(case when ${where(everyAlarmSql(capability, columns.groups))} then device.attributes
    else device.attributes - ${[...alarmAttributes]}::text[] end)`

/** A value in a device's attributes; null in those that the caller does not see. */
export const attributeFor = (
  { capability }: Rights,
  path: readonly string[],
): RawBuilder<unknown> =>
  isAlarmAttribute(path[0] ?? '')
    ? sql`(case when ${where(everyAlarmSql(capability, columns.groups))}
        then device.attributes #> ${path}::text[] end)`
    : sql`(device.attributes #> ${path}::text[])`
