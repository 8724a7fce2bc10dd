import type { Handlers } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import type { AlarmDevice } from '../devices/device-store.ts'
import { requireDevices } from '../devices/device-facts.ts'
import { alarmsFailure } from './no-device.ts'
import type { occurrencesContract } from './contract.ts'
import { Edits } from './edits.ts'
import { newOccurrence, occurrenceId, sourceOfTrigger } from './occurrence.ts'
import { lockDevices, readOccurrences, writeEdits } from './occurrence-store.ts'

type Raised = Parameters<Handlers<typeof occurrencesContract>['raiseTriggerAlarm']>[0]

/** Alarms that triggers raise: somebody has to acknowledge them, and nothing ends them by itself. */
export const raiseTriggerAlarm =
  (deps: AlarmsDeps): Handlers<typeof occurrencesContract>['raiseTriggerAlarm'] =>
  async ({ params: { deviceId }, body }) =>
    deps.db.transaction().execute(async (tx: Kysely<AlarmsDb>) => {
      await lockDevices(tx, [deviceId])
      const device = (await requireDevices(deps, tx, [deviceId])).get(deviceId)
      if (!device || device.org !== body.organization) throw alarmsFailure(deviceId)
      const source = sourceOfTrigger(body.source)
      const id = occurrenceId(deviceId, source, Math.trunc(body.at))
      const rows = await readOccurrences(tx, { ids: [id], sources: [{ deviceId, source }] })
      const edits = new Edits(rows)
      const known = edits.get(id) ?? edits.open(deviceId, source)
      if (edits.get(id)) return { id }
      raise(edits, { device, source, body, heard: deps.now().getTime() })
      const publish = await writeEdits(tx, edits)
      await publish(tx)
      return { id: known?.id ?? id }
    })

type Raising = { device: AlarmDevice; source: string; body: Raised['body']; heard: number }

/** A new occurrence, or one raise more of the one that nobody has acknowledged yet. */
function raise(edits: Edits, { device, source, body, heard }: Raising) {
  const start = Math.trunc(body.at)
  const { device_id, org } = device
  const open = edits.open(device_id, source)
  if (open) {
    edits.change(open, { raises: open.raises + 1 }, { kind: 'again', t: start, heard })
    return
  }
  const row = newOccurrence({
    org,
    device_id,
    source,
    name: body.name,
    description: body.text,
    severity: body.severity,
    start,
    heard,
    active: false,
    ack_required: true,
    needs_ack: true,
    returned_t: new Date(start),
    paths: body.paths,
  })
  edits.add(row, { kind: 'raised', t: start, heard })
}
