import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const restartMs = 3_000

type Program = {
  /** Path from the project's root. */
  file: string
  onLine: (line: string) => void
  /** Called with each line of its standard error. */
  onTrouble: (line: string) => void
}

/**
 * Runs the demo's simulation and restarts it when it ends by itself; messages are then sent again.
 * It ends with this process, because their channel closes.
 */
export function runDemoProcess(program: Program) {
  let stopping = false
  let child = start(program)
  let sent: object | undefined
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (stopping) return
      program.onTrouble(`${program.file} ended with ${String(signal ?? code)}; it starts again`)
      setTimeout(() => {
        if (stopping) return
        child = start(program)
        if (sent) child.send(sent)
        watch()
      }, restartMs)
    })
  watch()
  return {
    pid: () => child.pid ?? 0,
    send(message: object) {
      sent = message
      if (child.connected) child.send(message)
    },
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function start({ file, onLine, onTrouble }: Program): ChildProcess {
  // A process group of its own, so that Ctrl-C reaches only the server, which stops the simulation
  // in order.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', `${root}${file}`], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  child.on('error', (error) => onTrouble(String(error))) // a message to a process that has just ended
  lines(child.stdout, onLine)
  lines(child.stderr, onTrouble)
  return child
}

function lines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void) {
  let rest = ''
  stream?.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  })
}
