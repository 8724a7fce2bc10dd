import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { requireDevices } from '../devices/device-facts.ts'
import { carefully } from './careful-consumer.ts'
import { occurrencesContract, type RuleChanged } from './contract.ts'
import { Edits } from './edits.ts'
import { type Occurrence, occurrenceId, sourceOfRule } from './occurrence.ts'
import {
  lockDevices,
  occurrencesAfter,
  type Publish,
  readOccurrences,
  writeEdits,
} from './occurrence-store.ts'
import { notePulseAlarm } from './pulse-alarm.ts'
import { noteFirstOuts } from './first-out.ts'
import { takeLateChanges } from './late-changes.ts'
import { keepShelves, noteShelves } from './shelf-cover.ts'
import { readTakenChanges } from './taken-changes.ts'
import { type RuleAlarm, takeRuleChange } from './rule-changes.ts'
import { readRuleFacts, type RuleMemory, versionKey } from './rule-facts.ts'

type Db = Kysely<AlarmsDb>

/** Consumer of what rules find. */
export const ruleConsumer = (deps: AlarmsDeps, memory: RuleMemory) =>
  carefully(deps, occurrencesContract.events.ruleChanged, (events, tx) =>
    takeRuleEvents(deps, memory, events, tx),
  )

/** Rule or device of an event that is not there. */
class Unknown extends Error {
  override name = 'Unknown'
}

async function takeRuleEvents(
  deps: AlarmsDeps,
  memory: RuleMemory,
  events: readonly RuleChanged[],
  tx: Db,
): Promise<Publish> {
  await keepShelves(tx)
  await lockDevices(
    tx,
    events.map(({ deviceId }) => deviceId),
  )
  const devices = await requireDevices(
    deps,
    tx,
    events.map(({ deviceId }) => deviceId),
  )
  await readRuleFacts(tx, memory, events)
  const rows = [...(await readOccurrences(tx, wantedOf(events))), ...(await readAfter(tx, events))]
  const times = events.flatMap(({ changes }) => changes.map(({ t }) => t))
  const edits = new Edits(rows, await readTakenChanges(tx, rows, times))
  for (const event of events) {
    const device = devices.get(event.deviceId)
    const facts = memory.get(versionKey(event))
    if (!device) throw new Unknown(`there is no device ${event.deviceId}`)
    if (!facts) throw new Unknown(`there is no version ${event.ruleVersion} of ${event.ruleId}`)
    const alarm: RuleAlarm = { device, facts, event }
    const { changes, again } = event
    if (again) takeLateChanges(edits, alarm, changes, again)
    else for (const change of changes) takeRuleChange(edits, alarm, change)
  }
  await noteFirstOuts(tx, edits)
  await noteShelves(tx, edits, deps.now())
  await notePulseAlarm(tx, events, deps.now())
  return writeEdits(tx, edits)
}

/** Occurrences that late values can change, withdrawn ones too. */
async function readAfter(tx: Db, events: readonly RuleChanged[]): Promise<Occurrence[]> {
  const judged = events.flatMap(({ deviceId, ruleId, instance, again }) =>
    again ? [{ deviceId, source: sourceOfRule(ruleId, instance), since: again.since }] : [],
  )
  return judged.length === 0 ? [] : occurrencesAfter(tx, judged)
}

const wantedOf = (events: readonly RuleChanged[]) => ({
  sources: events.map(({ deviceId, ruleId, instance }) => ({
    deviceId,
    source: sourceOfRule(ruleId, instance),
  })),
  ids: events.flatMap(({ deviceId, ruleId, instance, changes }) =>
    changes.flatMap(({ kind, t }) =>
      kind === 'raise' || kind === 'severity'
        ? [occurrenceId(deviceId, sourceOfRule(ruleId, instance), t)]
        : [],
    ),
  ),
})
