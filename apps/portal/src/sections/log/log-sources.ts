import type { Permission } from '@longreach/authorization/permissions'
import type { LogSource } from './log-source.ts'
import { actionSource } from './sources/action-source.ts'
import { auditSource } from './sources/audit-source.ts'
import { deliverySource, failedDeliverySource } from './sources/delivery-source.ts'
import { deviceSource } from './sources/device-source.ts'
import { mailSource } from './sources/mail-source.ts'
import { runSource } from './sources/run-source.ts'
import type { LogChoice } from './whole-log-url.ts'

/** Sources of each choice; another one is a file in `sources/` and its place here. */
const sourcesOf: Record<LogChoice | 'all', readonly LogSource[]> = {
  all: [auditSource, deliverySource, mailSource, deviceSource, actionSource, runSource],
  delivery: [deliverySource],
  failed: [failedDeliverySource, mailSource],
  device: [deviceSource],
  action: [actionSource],
  run: [runSource],
}

/** Sources of a choice that the person may read. */
export const readableSources = (
  kind: LogChoice | undefined,
  may: (permission: Permission) => boolean,
) => sourcesOf[kind ?? 'all'].filter(({ needs }) => needs.every(may))
