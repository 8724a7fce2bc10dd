import { parentPort } from 'node:worker_threads'
import { AppError } from './errors.ts'

type Task = { module: string; name: string; input: readonly unknown[] }

/** Runs tasks as they arrive: loads the module, calls the function, posts its result or error. */
parentPort?.on('message', ({ module, name, input }: Task) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  void runTask(module, name, input).then((said) => parentPort?.postMessage(said))
})

async function runTask(module: string, name: string, input: readonly unknown[]) {
  const loaded = (await import(module)) as Record<string, (...input: unknown[]) => unknown>
  try {
    return { result: await loaded[name]?.(...input) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, code, details } = error
    return { refused: { status, code, details } }
  }
}
