import { parentPort } from 'node:worker_threads'
import { AppError } from './errors.ts'

type Task = { module: string; name: string; input: readonly unknown[] }

/** Do tasks as they come: load the module, call the function, answer what it returns or refuses. */
parentPort?.on('message', ({ module, name, input }: Task) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  void answer(module, name, input).then((said) => parentPort?.postMessage(said))
})

async function answer(module: string, name: string, input: readonly unknown[]) {
  const loaded = (await import(module)) as Record<string, (...input: unknown[]) => unknown>
  try {
    return { result: await loaded[name]?.(...input) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, code, details } = error
    return { refused: { status, code, details } }
  }
}
