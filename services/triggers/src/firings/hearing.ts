import { onMany } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import { firingsContract } from '../firing-contract.ts'

/** Keeps firings of triggers that run, to be judged in order, and tells that they wait. */
export const hearFirings = (now: () => Date, heard: () => void) =>
  onMany(firingsContract.events.triggerFired, async (firings, tx: Kysely<TriggersDb>) => {
    await sql`insert into triggers.firing (trigger_id, payload, created_at)
      select t.id, g.payload, ${now()}
      from unnest(${firings.map(({ triggerId }) => triggerId)}::uuid[],
        ${firings.map((firing) => JSON.stringify(firing))}::jsonb[]) with ordinality
        as g (trigger_id, payload, place)
      join triggers.trigger t on t.id = g.trigger_id
      where t.stopped is null and not t.disabled order by g.place`.execute(tx)
    heard()
  })
