import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { NatsServer, NatsSettings } from './nats-settings.ts'

/** Program nats-server on the PATH, or where Debian keeps it, which a person's PATH leaves out. */
export const natsServerPath = () =>
  [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/bin']
    .map((folder) => path.join(folder, 'nats-server'))
    .find((place) => existsSync(place))

type Ports = { client: number; cluster: number }
type Place = { folder: string; name: string; config: string }

/** Real NATS servers on free ports of 127.0.0.1, as one cluster; `config` is added to each one's file. */
export async function startNats({ count = 1, config = '' } = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-nats-'))
  const servers: TestNats[] = []
  for (let index = 1; index <= count; index += 1) {
    const place = { folder, name: `n${index}`, config }
    servers.push(await startServer(place, () => servers.map(({ cluster }) => cluster)))
  }
  return {
    servers,
    settings: { servers: servers.map(({ server }) => server) } satisfies NatsSettings,
    async stop() {
      await Promise.all(servers.map((one) => one.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
type TestNats = Awaited<ReturnType<typeof startServer>>

/** One server; `others` are the cluster ports that it connects to. */
async function startServer(place: Place, others: () => number[]) {
  let { child, ports } = await run(place, { client: -1, cluster: -1 }, others())
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return {
    server: { host: '127.0.0.1', port: ports.client } satisfies NatsServer,
    cluster: ports.cluster,
    /** Kills it with SIGKILL. */
    async kill() {
      if (hasEnded(child)) return
      const ended = once(child, 'exit')
      signal('SIGKILL')
      await ended
    },
    /** Starts it again on the same ports, if it does not run. */
    async restart() {
      if (hasEnded(child)) ({ child } = await run(place, ports, others()))
    },
    /** Stops it with SIGSTOP; ends when none of its threads works any more. */
    async pause() {
      signal('SIGSTOP')
      while (!(await isStopped(child.pid ?? 0))) await wait(5)
    },
    resume: () => signal('SIGCONT'),
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

async function run({ folder, name, config }: Place, ports: Ports, others: readonly number[]) {
  const program = natsServerPath()
  if (program === undefined) {
    throw new Error('nats-server is missing: install it (Debian: apt-get install nats-server)')
  }
  const file = path.join(folder, `${name}.conf`)
  const log = path.join(folder, `${name}.log`)
  const routes = others.filter((port) => port !== ports.cluster)
  const lines = [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${ports.client}"`,
    `ports_file_dir: "${folder}"`,
    `log_file: "${log}"`,
    'cluster {',
    `  name: test, listen: "127.0.0.1:${ports.cluster}"`,
    `  routes: [${routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}]`,
    '}',
    config,
  ]
  await writeFile(file, lines.join('\n'))
  const child = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end) // a test run that breaks off leaves nothing behind
  child.once('exit', () => process.off('exit', end))
  await once(child, 'spawn')
  return { child, ports: await portsOf(child, folder, log) }
}

/** Ports that a server listens on, once it takes connections on them. */
async function portsOf(child: ChildProcess, folder: string, log: string): Promise<Ports> {
  const file = path.join(folder, `nats-server_${child.pid}.ports`)
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '') // not written yet
    const [, client] = /"nats":\["\w+:\/\/127\.0\.0\.1:(\d+)"/.exec(text) ?? []
    const [, cluster] = /"cluster":\["\w+:\/\/127\.0\.0\.1:(\d+)"/.exec(text) ?? []
    if (client !== undefined && cluster !== undefined) {
      await canConnect(Number(client))
      return { client: Number(client), cluster: Number(cluster) }
    }
    if (hasEnded(child)) {
      throw new Error(`nats-server ended: ${await readFile(log, 'utf8').catch(() => 'no log')}`)
    }
    await wait(20)
  }
}

async function canConnect(port: number) {
  const socket = net.connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  socket.destroy()
}

/** True when all threads of a process are stopped, or it has ended: `T` or `Z` in its stat files. */
async function isStopped(pid: number) {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => []) // it has ended
  const states = await Promise.all(
    threads.map((thread) =>
      readFile(`${folder}/${thread}/stat`, 'utf8').then(
        (text) => text.slice(text.lastIndexOf(')') + 2)[0],
        () => 'Z', // the thread has ended
      ),
    ),
  )
  return states.every((state) => state === 'T' || state === 'Z')
}
