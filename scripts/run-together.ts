import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { environmentOf, type Step } from './steps.ts'

type Failure = { name: string; code: number }

/**
 * Runs steps beside each other, started in their order, by default as many as there are processors.
 * Writes the output of a step when it ends. Returns the first that fails, and ends the others.
 */
export async function runTogether(
  list: readonly Step[],
  {
    lanes = availableParallelism(),
    write = (text: string) => void process.stdout.write(text),
  } = {},
): Promise<Failure | undefined> {
  const waiting = [...list]
  const running = new Set<ChildProcess>()
  let failure: Failure | undefined
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const began = Date.now()
      const { code, output } = await outcomeOf(step, running)
      if (failure) return // ended because another step failed
      const seconds = ((Date.now() - began) / 1000).toFixed(1)
      write(`\n── ${step.name}\n${output}   ${step.name}: ${seconds} s\n`)
      if (code === 0) continue
      failure = { name: step.name, code }
      waiting.length = 0
      for (const other of running) other.kill()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return failure
}

function outcomeOf(step: Step, running: Set<ChildProcess>) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(step.command, step.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentOf(step),
    })
    running.add(child)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}
