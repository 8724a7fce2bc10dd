import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'

// An empty Debian with Node, npm and git, and in it the two commands of the README on a fresh clone of
// what is committed here: as root in /root, and as a person without rights. Needs root and debootstrap.
//   npm run empty-machine [-- --skip-journeys | --skip-tests] [--only root|person] [--suite trixie] [--keep]
const { values: asked } = parseArgs({
  options: {
    'skip-journeys': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
    only: { type: 'string' },
    suite: { type: 'string', default: 'trixie' },
    keep: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../', import.meta.url))
const store = '/var/cache/longreach-empty-machine'
const base = path.join(store, asked.suite)
const box = path.join(store, `run-${process.pid}`)
/** npm's settings of this machine, a registry or a certificate perhaps, also hold in the box. */
const passed = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']

type Kind = { name: string; user: string; home: string }
const kinds: Kind[] = [
  { name: 'root', user: 'root', home: '/root' },
  { name: 'person', user: 'ada', home: '/home/ada' },
]

const say = (text: string) => process.stdout.write(`${text}\n`)
const run = (command: string, args: string[]) => execFileSync(command, args, { stdio: 'inherit' })

function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

/** The mirror that this machine's own apt uses. */
function mirror(): string {
  const lists = '/etc/apt/sources.list.d'
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(lists) ? readdirSync(lists).map((name) => path.join(lists, name)) : []),
  ]
  const lines = files
    .filter((file) => /\.(list|sources)$/.test(file) && existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => !line.startsWith('#'))
  const found = lines.map((line) => /https?:\/\/\S+\/debian\/?(?=\s|$)/.exec(line)?.[0])
  return found.find((one) => one !== undefined) ?? fail('No mirror of Debian is named in /etc/apt.')
}

/** The empty Debian itself is made once; each run works on a copy. */
function makeBase() {
  if (existsSync(base)) return
  say(`Making an empty Debian (${asked.suite}) in ${base} …`)
  const fresh = `${base}.${process.pid}`
  mkdirSync(store, { recursive: true })
  run('debootstrap', [
    '--variant=minbase',
    '--include=ca-certificates',
    asked.suite,
    fresh,
    mirror(),
  ])
  takeOver(fresh)
  run('chroot', [fresh, 'apt-get', 'update', '-qq'])
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'nodejs', 'npm', 'git']
  run('chroot', [fresh, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...install])
  renameSync(fresh, base)
}

/** Settings for reaching this machine's mirrors: host names, certificates, npm settings. */
function takeOver(place: string) {
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  const npm = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' }).trim()
  const files = ['/etc/resolv.conf', '/etc/hosts', '/etc/apt/apt.conf', certificates]
  for (const file of files) {
    if (!existsSync(file)) continue
    mkdirSync(path.dirname(place + file), { recursive: true })
    copyFileSync(file, place + file)
  }
  if (existsSync(npm)) appendFileSync(path.join(place, 'etc/npmrc'), readFileSync(npm))
}

function makeBox() {
  run('cp', ['-a', '--reflink=auto', base, box])
  run('mount', ['-t', 'proc', 'proc', path.join(box, 'proc')])
  run('mount', ['--rbind', '/dev', path.join(box, 'dev')])
  run('mount', ['--make-rslave', path.join(box, 'dev')])
  run('chroot', [box, 'useradd', '--create-home', '--shell', '/bin/bash', 'ada'])
  // Who clones is not who made it here.
  run('chroot', [box, 'git', 'config', '--system', '--add', 'safe.directory', '*'])
  run('git', ['clone', '--quiet', '--bare', root, path.join(box, 'srv/longreach.git')])
}

function removeBox() {
  for (const mounted of ['dev', 'proc']) spawnSync('umount', ['-R', path.join(box, mounted)])
  const left = readFileSync('/proc/mounts', 'utf8').includes(` ${box}/`)
  if (left) say(`Something still holds ${box}; it is left there.`)
  else if (!asked.keep) rmSync(box, { recursive: true, force: true })
}

/** Environment of an empty machine, with access to its mirrors. */
function environmentOf({ user, home }: Kind) {
  const kept = passed.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [`${name}=${value}`]
  })
  const certificates = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  const own = [
    `HOME=${home}`,
    `USER=${user}`,
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]
  return [...own, certificates, `npm_config_registry=${registry()}`, ...kept]
}

const registry = () =>
  execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()

/** A command line in the box, as one of the two, in a login's place. */
const inBox = (kind: Kind, text: string): [string, string[]] => [
  'chroot',
  [
    `--userspec=${kind.user}`,
    box,
    '/usr/bin/env',
    '-i',
    ...environmentOf(kind),
    '/bin/bash',
    '-c',
    `cd ${kind.home} && ${text}`,
  ],
]

/** `npm run demo` until its page answers, then an orderly end by SIGTERM with nothing left. */
async function demo(kind: Kind) {
  const clone = `umask ${kind.name === 'root' ? '077' : '022'} && git clone --quiet /srv/longreach.git`
  run(...inBox(kind, clone))
  const [command, args] = inBox(kind, 'cd longreach && PORT=8118 MQTT_PORT=8918 exec npm run demo')
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
    process.stdout.write(data)
  })
  const ended = once(child, 'exit')
  while (!output.includes('ready at')) {
    if (child.exitCode !== null) return fail(`npm run demo ended with ${child.exitCode}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  const page = await fetch('http://localhost:8118/')
  if (page.status !== 200) fail(`The demo's page answers ${page.status}`)
  child.kill('SIGTERM')
  await ended
  const left = running()
  if (left.length > 0) fail(`SIGTERM to npm run demo left running:\n${left.join('\n')}`)
}

/** Command lines of processes that live in the box. */
function running(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const { stdout } = spawnSync('readlink', [`/proc/${pid}/root`], { encoding: 'utf8' })
      if (stdout.trim() !== box) return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    })
}

/** `npm test` in the box; without rights it first says in a sentence what is missing. */
function tests(kind: Kind, isPrepared: boolean) {
  const steps = asked['skip-journeys'] ? ' -- format lint style boundaries types portal unit' : ''
  const tried = () =>
    spawnSync(...inBox(kind, `cd longreach && npm test${steps}`), { stdio: 'inherit' })
  if (kind.name === 'person' && !isPrepared) {
    if (tried().status !== 1) fail('npm test must end when what it needs is not there')
    const packages = [
      'chromium',
      'chromium-headless-shell',
      'fonts-liberation',
      'mosquitto-clients',
      'nats-server',
    ]
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
    run('chroot', [box, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...install])
  }
  const { status } = tried()
  if (status !== 0) fail(`npm test as ${kind.name} ended with ${String(status)}`)
}

if (process.getuid?.() !== 0)
  fail('npm run empty-machine needs root: it makes a Debian and enters it.')
if (spawnSync('debootstrap', ['--version']).error) fail('npm run empty-machine needs debootstrap.')
makeBase()
makeBox()
process.on('exit', removeBox)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const chosen = kinds.filter(({ name }) => asked.only === undefined || asked.only === name)
for (const [index, kind] of chosen.entries()) {
  say(`\n══ ${kind.name}: npm run demo`)
  await demo(kind)
  if (asked['skip-tests']) continue
  say(`\n══ ${kind.name}: npm test`)
  tests(kind, index > 0)
}
say(`\n${asked['skip-tests'] ? 'The demo passed' : 'Both commands passed'} on an empty machine.`)
