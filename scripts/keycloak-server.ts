import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** The release of Keycloak that the suite runs against, from Maven's central repository. */
const keycloakVersion = '26.7.3'
/** Scopes with a part that is chosen at the call, `org:nordwerk`. */
const features = 'parameterized-scopes'

const cache = path.join(os.homedir(), '.cache/longreach')
const home = path.join(cache, `keycloak-${keycloakVersion}`)
const built = path.join(home, `built-with-${features}`)

type KeycloakServer = {
  url: string
  admin: { username: string; password: string }
  stop: () => Promise<void>
}

/** Keycloak on a free port of this machine, with a database of its own that goes with it. */
export async function startKeycloak(say: (text: string) => void): Promise<KeycloakServer> {
  const java = newestJava()
  install(say)
  const program = path.join(home, 'bin/kc.sh')
  const env = { ...process.env, ...java, JAVA_OPTS_KC_HEAP: '-Xmx768m' }
  if (!existsSync(built)) {
    say('Building Keycloak for its database (once, a minute or two) …')
    must(program, ['build', '--db=dev-file', `--features=${features}`], env)
    writeFileSync(built, '')
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-keycloak-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const admin = { username: 'admin', password: 'a password of the tests alone 7' }
  const args = [
    'start',
    '--optimized',
    '--cache=local',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--hostname=${url}`,
    `--db-url=jdbc:h2:file:${path.join(folder, 'keycloak')};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`,
  ]
  const child = spawn(program, args, {
    env: {
      ...env,
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()))
  }
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const end = () => {
    // Its shell and its Java together.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  process.once('exit', end)
  say(`Keycloak ${keycloakVersion} starts at ${url} …`)
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`Keycloak ended:\n${output}`)
    await new Promise((done) => setTimeout(done, 500))
  }
  return {
    url,
    admin,
    async stop() {
      end()
      process.off('exit', end)
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The distribution as Maven brings it, unpacked in the user's cache. */
function install(say: (text: string) => void) {
  if (existsSync(path.join(home, 'bin/kc.sh'))) return
  say(`Fetching Keycloak ${keycloakVersion} with Maven into ${cache} (once, 180 MB) …`)
  mkdirSync(cache, { recursive: true })
  const artifact = `org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:zip`
  must('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'])
  must('mvn', [
    '-q',
    '-B',
    'dependency:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${cache}`,
  ])
  must('unzip', [
    '-q',
    '-o',
    `${home.replace('keycloak-', 'keycloak-quarkus-dist-')}.zip`,
    '-d',
    cache,
  ])
}

/** Java of 21 or newer: the one that is set, the newest of Debian's folder, else the one on the path. */
function newestJava() {
  const set = process.env['JAVA_HOME']
  if (set !== undefined) return { JAVA_HOME: set }
  const folder = '/usr/lib/jvm'
  const versions = existsSync(folder) ? readdirSync(folder) : []
  const [best] = versions
    .map((name) => ({ name, version: Number(/(?<!\d)(\d\d)(?!\d)/.exec(name)?.[1] ?? 0) }))
    .filter(({ name }) => existsSync(path.join(folder, name, 'bin/java')))
    .toSorted((one, other) => other.version - one.version)
  return best ? { JAVA_HOME: path.join(folder, best.name) } : {}
}

function must(command: string, args: string[], env = process.env) {
  const { status, error } = spawnSync(command, args, {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0) return
  const why = error ? ` (${error.message})` : ''
  throw new Error(
    `${command} ${args.join(' ')} did not succeed${why}. Maven, unzip and Java 21 or newer are needed.`,
  )
}

const answers = (url: string) =>
  fetch(`${url}/realms/master`).then(
    ({ ok }) => ok,
    () => false, // not yet
  )

async function freePort() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
