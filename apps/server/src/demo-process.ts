import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const preload = new URL('./exit-with-parent.ts', import.meta.url).href
const restartMs = 3_000

export type DemoProcess = { pid: () => number; stop: () => Promise<void> }

type Program = {
  /** Path from the top of the project. */
  file: string
  args: string[]
  onLine?: (line: string) => void
  /** What it says on standard error, line by line. */
  onTrouble: (line: string) => void
}

/** Run a program of the demo plant and start it again if it ends by itself. */
export function runDemoProcess(program: Program): DemoProcess {
  return keepRunning(() => program)
}

/** `again` says what to start: a machine keeps its port when it starts again. */
function keepRunning(again: () => Program): DemoProcess {
  let stopping = false
  let program = again()
  let child = start(program)
  const watch = () =>
    child.once('exit', (code) => {
      if (stopping) return
      program.onTrouble(`${program.file} ended with ${String(code)}; it starts again`)
      setTimeout(() => {
        if (stopping) return
        program = again()
        child = start(program)
        watch()
      }, restartMs)
    })
  watch()
  return {
    pid: () => child.pid ?? 0,
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function start({ file, args, onLine, onTrouble }: Program): ChildProcess {
  // A process group of its own: Ctrl-C reaches the server, which stops its plant in order.
  const child = spawn(process.execPath, ['--import', preload, `${root}${file}`, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => undefined) // it ended; `exit` tells
  lines(child.stdout, onLine ?? (() => undefined))
  lines(child.stderr, onTrouble)
  return child
}

function lines(stream: NodeJS.ReadableStream, onLine: (line: string) => void) {
  let rest = ''
  stream.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  })
}

/** Run a simulated machine and wait for the line in which it says its port. */
export function runMachine(program: Omit<Program, 'onLine'>) {
  return new Promise<DemoProcess & { port: number }>((resolve) => {
    let known: number | undefined
    const onLine = (line: string) => {
      const port = readyPort(line)
      if (port === undefined || known !== undefined) return
      known = port
      resolve({ ...running, port })
    }
    const running = keepRunning(() => {
      const port = known === undefined ? [] : ['--port', String(known)]
      return { ...program, args: [...program.args, ...port], onLine }
    })
  })
}

function readyPort(line: string) {
  if (!line.startsWith('{')) return undefined
  const { ready, port } = JSON.parse(line) as { ready?: boolean; port?: number }
  return ready === true ? port : undefined
}
