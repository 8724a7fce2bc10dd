import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { natsServerPath } from '@longreach/kit/nats-testing'
import { chromiumPath, windowedChromiumPath } from './chromium.ts'

const onPath = (program: string) =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, program)))

/** All that `npm test` needs beside what npm installs, and Debian's packages of it. */
const needs = [
  {
    name: 'Chromium',
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    isThere: () => chromiumPath() !== undefined,
  },
  {
    name: 'a Chromium or Chrome that shows notifications',
    packages: ['chromium'],
    isThere: () => windowedChromiumPath() !== undefined,
  },
  {
    name: 'mosquitto_pub and mosquitto_sub',
    packages: ['mosquitto-clients'],
    isThere: () => onPath('mosquitto_pub') && onPath('mosquitto_sub'),
  },
  {
    name: 'nats-server',
    packages: ['nats-server'],
    isThere: () => natsServerPath() !== undefined,
  },
]

/** Install what the tests need where that can be done without asking; otherwise say what to do, and end. */
export function ensureTestNeeds() {
  const packages = () => missing().flatMap((need) => need.packages)
  if (missing().length > 0 && process.getuid?.() === 0 && onPath('apt-get')) {
    const list = packages().join(' ')
    process.stdout.write(`Installing what the tests need with apt-get: ${list} …\n`)
    apt(['update', '-qq'])
    apt(['install', '-y', '-qq', '--no-install-recommends', ...packages()])
  }
  if (missing().length === 0) return
  const names = missing().map(({ name }) => name)
  process.stderr.write(
    `The tests need ${names.join(', and ')}: let an administrator run "apt-get install ${packages().join(' ')}" (or what your system has for it; CHROMIUM may name the path of a Chromium or Chrome), and run this again.\n`,
  )
  process.exit(1)
}

const missing = () => needs.filter(({ isThere }) => !isThere())

const apt = (args: string[]) =>
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
