import { Bytes, defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import { NoAnswer } from '@longreach/kit/fabric-wire'
import {
  type HandOver,
  openTelemetry,
  type TailNetwork,
  type TelemetryStore,
} from '@longreach/telemetry/store'
import { z } from 'zod'
import type { PlatformDeps } from '../deps.ts'

/** Store of values, opened at the first use; a failed opening is tried again by the next use. */
export type OpenTelemetry = () => Promise<TelemetryStore>

export function createTelemetry({
  pool,
  log,
  fabric,
}: Pick<PlatformDeps, 'pool' | 'log' | 'fabric'>) {
  let opening: Promise<TelemetryStore> | undefined
  const network = tailNetworkOf({ fabric, log })
  /** Set by the part that deals with each value once, before the store is opened. */
  const handing: { over?: HandOver } = {}
  const open: OpenTelemetry = () => {
    opening ??= openTelemetry({
      pool,
      log,
      network,
      ...(handing.over && { handOver: handing.over }),
    }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    open,
    handing,
    async close() {
      if (opening) await (await opening).close()
    },
  }
}

/** Values that a writer has in memory; the write-ahead table is read where nothing comes at once. */
const tailSubject = defineSubject({
  subject: 'writer.:writer.tail',
  request: z.object({
    from: z.int(),
    series: z.array(z.int()),
    since: z.number(),
    to: z.number(),
    newest: z.boolean(),
    // A process of an earlier version neither asks for figures nor knows of them.
    width: z.int().min(1).optional(),
  }),
  reply: Bytes,
  reads: true,
})
/**
 * Time for an answer in ms. A busy process takes its time, and reading its table instead would cost more than the
 * answer; where no process answers, that is known at once.
 */
const answerMs = 3_000
/** Time in ms for which a process that gave no answer is not asked again. */
const notAskedMs = 10_000

function tailNetworkOf({ fabric, log }: Pick<PlatformDeps, 'fabric' | 'log'>): TailNetwork {
  const at = (writer: number) => ({ ...tailSubject, ...subjectAt(tailSubject, { writer }) })
  const silentUntil = new Map<number, number>()
  const noteError = (writer: number, error: unknown) => {
    if (!(error instanceof NoAnswer))
      log.warn({ error, writer }, 'another process could not be asked for its values')
    else if (error.cause === 'late') silentUntil.set(writer, performance.now() + notAskedMs)
  }
  return {
    async ask(writer, question) {
      if (performance.now() < (silentUntil.get(writer) ?? 0)) return undefined
      silentUntil.delete(writer)
      try {
        return await fabric.call(at(writer), question, { deadlineMs: answerMs })
      } catch (error) {
        noteError(writer, error)
        return undefined // the write-ahead table is read instead
      }
    },
    answer: (writer, take) => fabric.answer(at(writer), take),
  }
}
