import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'

/** Pure function of a module that runs in a thread, so that it does not block the process. */
type WorkerTask = { module: URL; name: string }

type WorkerLimits = {
  /** Threads that run at the same time; more tasks wait. */
  threads: number
  mostWaiting: number
  /** Limits of one task: time and memory. */
  longestMs: number
  memoryMb: number
  /** Time after which an idle thread ends. */
  idleMs: number
}

const workerLimits: WorkerLimits = {
  threads: 2,
  mostWaiting: 50,
  longestMs: 20_000,
  memoryMb: 256,
  idleMs: 20_000,
}

type Answer = { result: unknown } | { refused: { status: number; code: string; details: object } }
type Waiting = (thread: Worker) => void

const main = new URL('./worker-thread.ts', import.meta.url)

/**
 * Pool of threads. A task that exceeds its time or memory ends with its thread; the others
 * continue.
 */
export function createWorkerPool(limits: WorkerLimits = workerLimits) {
  const idle = new Map<Worker, NodeJS.Timeout>()
  const waiting: Waiting[] = []
  let threads = 0

  const start = () => {
    threads += 1
    const thread = new Worker(main, {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, stackSizeMb: 4 },
    })
    thread.unref()
    // A thread that fails while idle is replaced when there is work.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      threads -= 1
      clearTimeout(idle.get(thread))
      idle.delete(thread)
      const next = waiting.shift()
      if (next) next(start())
    })
    return thread
  }
  const free = async () => {
    const [known] = idle.keys()
    if (known) {
      clearTimeout(idle.get(known))
      idle.delete(known)
      return known
    }
    if (threads < limits.threads) return start()
    if (waiting.length >= limits.mostWaiting) throw busy()
    return new Promise<Worker>((resolve) => waiting.push(resolve))
  }
  const giveBack = (thread: Worker) => {
    const next = waiting.shift()
    if (next) return next(thread)
    const end = setTimeout(() => void thread.terminate(), limits.idleMs)
    idle.set(thread, end.unref())
  }

  return {
    async run<T>({ module, name }: WorkerTask, input: readonly unknown[]): Promise<T> {
      const thread = await free()
      const answer = await waitForAnswer(thread, { module: module.href, name, input }, limits)
      if (answer === undefined) throw tooMuch(limits)
      giveBack(thread)
      if ('result' in answer) return answer.result as T // the function's own answer
      const { status, code, details } = answer.refused
      throw new AppError(status, code, { ...details })
    },
    async close() {
      await Promise.all([...idle.keys()].map((thread) => thread.terminate()))
    },
  }
}

/** Answer of a thread; undefined when it ended because of time, memory or a failure. */
function waitForAnswer(thread: Worker, task: object, { longestMs }: WorkerLimits) {
  return new Promise<Answer | undefined>((resolve) => {
    const end = (answer: Answer | undefined) => {
      clearTimeout(late)
      thread.off('message', end)
      thread.off('exit', gone)
      resolve(answer)
    }
    const gone = () => end(undefined)
    const late = setTimeout(() => void thread.terminate(), longestMs)
    thread.on('message', end)
    thread.once('exit', gone)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    thread.postMessage(task)
  })
}

function tooMuch({ longestMs, memoryMb }: WorkerLimits) {
  const message = `This takes more than ${longestMs / 1_000} s or ${memoryMb} MB. Make it smaller, or cut it into several.`
  return new AppError(422, 'request.too_much_work', { message, field: 'body' })
}

function busy() {
  const message = 'Too many large contents are being read at this moment. Try again shortly.'
  return new AppError(503, 'request.too_many_costly', { message, retryAfterS: 5 })
}

const shared = createWorkerPool()

/** Runs a task in the threads of this process. */
export const inWorker = <T>(task: WorkerTask, ...input: readonly unknown[]): Promise<T> =>
  shared.run<T>(task, input)
