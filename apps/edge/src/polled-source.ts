import type { Value } from '@longreach/device-protocol/value'
import type { Logger } from 'pino'
import { backoff, messageOf, pause } from './retry.ts'
import { badReading, type Reading, type Report, type Source, type Tag } from './tags.ts'

/** Connection to a controller that answers one request at a time. */
export type Controller = {
  /** Reads every tag. Throws when the connection is lost. */
  read: () => Promise<Reading[]>
  /** Writes, reads back, and returns the controller's value. */
  write: (tag: string, value: Value) => Promise<Value>
  close: () => Promise<void>
}

type PolledOptions = {
  name: string
  /** Address for the log: `192.168.0.1:102`. */
  where: string
  pollMs: number
  tags: readonly Tag[]
  open: () => Promise<Controller>
  log: Logger
}

/** Source that polls one request after another and reconnects after every loss. */
export function polledSource({ name, where, pollMs, tags, open, log }: PolledOptions): Source {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let controller: Controller | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: (open: Controller) => Promise<T>): Promise<T> => {
    const mine = turn.then(() => {
      if (!controller) throw new Error(`${where} is not connected`)
      return work(controller)
    })
    turn = mine.catch(() => undefined) // the caller gets the error; the next request starts anew
    return mine
  }

  async function poll(report: Report) {
    let at = Date.now()
    while (!stopping.signal.aborted) {
      report(await inTurn((one) => one.read()))
      // After a slow answer the missed polls are skipped.
      at = Math.max(at + pollMs, Date.now())
      await pause(Math.max(1, at - Date.now()), stopping.signal)
    }
  }

  async function run(report: Report) {
    const waiting = backoff(500, 30_000)
    while (!stopping.signal.aborted) {
      try {
        controller = await open()
        log.info({ source: name }, `connected to ${where}`)
        waiting.reset()
        await poll(report)
      } catch (error) {
        const reason = messageOf(error)
        log.warn({ source: name }, `${where}: ${reason}`)
        report(tags.map((tag) => badReading(tag.name, reason)))
      }
      await controller?.close()
      controller = undefined
      await pause(waiting.next(), stopping.signal)
    }
  }

  return {
    name,
    tags: () => tags,
    start(report) {
      running = run(report)
    },
    async write(tag, value) {
      if (!tags.find((one) => one.name === tag)?.writable)
        throw new Error(`${tag} cannot be written`)
      return inTurn((one) => one.write(tag, value))
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
