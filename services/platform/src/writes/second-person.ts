import { isDeepStrictEqual } from 'node:util'
import { failure } from '@longreach/kit/errors'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import type { Wish } from './tag-writing.ts'
import { requestOf, secondPersonFrom, type WriteDb } from './write-request-store.ts'

/**
 * Refuses a write where the organization demands a second person, unless `approved` is the request of
 * this very write, which has not been carried out.
 */
export async function requireSecondPerson(
  db: Kysely<WriteDb>,
  device: Device,
  { wishes, approved }: { wishes: readonly Wish[]; approved?: string | undefined },
) {
  const from = await secondPersonFrom(db, device.org)
  if (from === undefined) return
  const row = approved === undefined ? undefined : await requestOf(db, device, approved)
  const agreed = [{ modelPath: row?.path, v: row?.value }]
  const isOpen = row?.state === 'approved' && row.result === null
  if (isOpen && isDeepStrictEqual(wishes, agreed)) return
  throw failure(platformContract, 'second_person_needed', {
    message: `${from} lets a value be written only when a second person agrees; request the write`,
    organization: from,
  })
}
