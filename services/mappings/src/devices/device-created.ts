import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import { recordMoment } from './record-moment.ts'

type Created = { deviceId: string; label: string; orgResourceId: string; at: Date; by: string }

/** Publish that a device was made, and begin its time-line. */
export async function publishCreated(tx: Kysely<MappingsDb>, { at, by, ...device }: Created) {
  await publish(tx, mappingsContract.events.deviceCreated, device)
  const { deviceId, orgResourceId, label } = device
  await recordMoment(tx, { deviceId, orgResourceId, at, kind: 'created', data: { label }, by })
}
