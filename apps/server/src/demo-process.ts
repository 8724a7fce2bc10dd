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
  onLine: (line: string) => void
  /** What it says on standard error, line by line. */
  onTrouble: (line: string) => void
}

/** Run the program of the demo's plant and start it again if it ends by itself. */
export function runDemoProcess(program: Program): DemoProcess {
  let stopping = false
  let child = start(program)
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (stopping) return
      program.onTrouble(`${program.file} ended with ${String(signal ?? code)}; it starts again`)
      setTimeout(() => {
        if (stopping) return
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
  const flags = ['--max-semi-space-size=4', '--import', preload]
  const child = spawn(process.execPath, [...flags, `${root}${file}`, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => undefined) // it ended; `exit` tells
  lines(child.stdout, onLine)
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
