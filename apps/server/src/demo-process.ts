import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const restartMs = 3_000

type Program = {
  /** Path from the top of the project. */
  file: string
  onLine: (line: string) => void
  /** What it says on standard error, line by line. */
  onTrouble: (line: string) => void
}

/**
 * Run the program of the demo's plant and start it again if it ends by itself. What is sent to it is
 * sent again then. It ends when the channel to this process is closed, however this process went.
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
  // A process group of its own: Ctrl-C reaches the server, which stops its plant in order.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', `${root}${file}`], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  child.on('error', (error) => onTrouble(String(error))) // of a message that it did not live to read
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
