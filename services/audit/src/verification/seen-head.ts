import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { AuditDb, Head } from '../database.ts'
import { isSame, type Seals } from '../chain/seals.ts'

const hex = z.string().transform((text) => Buffer.from(text, 'hex'))
const Kept = z.object({
  base_seq: z.int(),
  base_hash: hex,
  head_seq: z.int(),
  head_hash: hex,
  seal: hex,
})

const fileIn = (dataDir: string) => path.join(dataDir, 'audit-head.json')

/**
 * End of the chain that this server last saw, from its data folder: a database that is restored to an
 * earlier state does not have it. Undefined without a file that this installation sealed.
 */
export async function readSeenHead(dataDir: string, seals: Seals): Promise<Head | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined) // nothing seen yet
  if (text === undefined) return undefined
  const { seal, ...head } = Kept.parse(JSON.parse(text))
  return isSame(seal, seals.head(head)) ? head : undefined
}

async function writeSeenHead(dataDir: string, head: Head & { seal: Buffer }) {
  const file = fileIn(dataDir)
  const kept = {
    ...head,
    base_hash: head.base_hash.toString('hex'),
    head_hash: head.head_hash.toString('hex'),
    seal: head.seal.toString('hex'),
  }
  await writeFile(`${file}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

type Watch = { db: Kysely<AuditDb>; seals: Seals; dataDir: string; log: FastifyBaseLogger }

/** Save the end of the chain in the data folder, unless the database lost the end that was saved before. */
async function saveSeenHead({ db, seals, dataDir, log }: Watch) {
  const head = await db
    .selectFrom('chain_head')
    .select(['base_seq', 'base_hash', 'head_seq', 'head_hash', 'seal'])
    .executeTakeFirst()
  const seen = await readSeenHead(dataDir, seals)
  if (seen && (!head || (await isLost(db, seen, head)))) {
    log.error(
      { line: seen.head_seq },
      'the audit trail lost entries that were there: run verify-audit',
    )
    return
  }
  if (head && head.head_seq !== seen?.head_seq) await writeSeenHead(dataDir, head)
}

async function isLost(db: Kysely<AuditDb>, seen: Head, head: Head) {
  if (seen.head_seq <= head.base_seq) return false
  const link = await db
    .selectFrom('chain_link')
    .select('hash')
    .where('seq', '=', seen.head_seq)
    .executeTakeFirst()
  return !link || !isSame(link.hash, seen.head_hash)
}

const everyMs = 60_000

/** Save the end of the chain every minute and when the server stops. */
export function startSeenHead(watch: Watch) {
  let busy = Promise.resolve()
  const run = () => {
    busy = busy
      .then(() => saveSeenHead(watch))
      .catch((error: unknown) => watch.log.error(error, 'the end of the audit trail was not kept'))
  }
  run()
  const timer = setInterval(run, everyMs)
  return {
    async close() {
      clearInterval(timer)
      run()
      await busy
    },
  }
}
