import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type AgentProgram,
  digestOf,
  unpackProgram,
} from '@longreach/device-protocol/agent-program'
import type { UpdateOrder } from '@longreach/device-protocol/agent-wire'
import type { Logger } from 'pino'
import { z } from 'zod'
import { CommandFault } from './command-fault.ts'
import { requestBytes } from './platform-http.ts'
import { checkOrder, saveReleaseTime } from './release-trust.ts'
import { linkOwnPackages } from './own-packages.ts'
import { messageOf } from './retry.ts'
import type { AgentSettings } from './settings.ts'
import { readState, type Supervision } from './supervision.ts'

type Options = {
  settings: AgentSettings
  version: Promise<string>
  supervision: Supervision | undefined
  log: Logger
}
const Installed = z.object({ version: z.string() })

/**
 * Downloads another version of this program, verifies and stores it, and asks the supervisor to
 * start it.
 */
export function createUpdater({ settings, version, supervision, log }: Options) {
  let busy = false

  async function fetchProgram({ sha256, bytes, version: wanted }: UpdateOrder) {
    const ca = settings.ca === undefined ? undefined : await readFile(settings.ca, 'utf8')
    const url = new URL(`/pairing/agent/${sha256}`, settings.endpoint)
    const signal = AbortSignal.timeout(5 * 60_000)
    const content = await requestBytes({ url, ca, longest: bytes, signal })
    // The digest was signed: it alone proves that this is the platform's program.
    if (content.length !== bytes || digestOf(content) !== sha256) {
      throw new CommandFault('failed', 'what was fetched is not the program that was announced')
    }
    const program = await unpackProgram(content)
    if (program.version !== wanted) {
      throw new CommandFault('failed', `the program is ${program.version} and not ${wanted}`)
    }
    return program
  }

  async function update(order: UpdateOrder) {
    if (!settings.remote.update) {
      throw new CommandFault(
        'not_possible',
        'this agent does not let itself be updated from afar; its own settings say remote.update: false',
      )
    }
    if (!supervision) {
      throw new CommandFault(
        'not_possible',
        'this agent was not started by its supervisor, which exchanges versions; start it with `npm run edge`',
      )
    }
    if (order.version === (await version)) return { version: order.version, state: 'done' }
    checkOrder(settings.dataDir, order, await version)
    const program = await fetchProgram(order)
    await layReady(program, supervision)
    saveReleaseTime(settings.dataDir, order)
    log.info({ version: order.version }, 'another version is ready and will be tried')
    // After the answer is sent.
    setImmediate(() => supervision.tell({ kind: 'update', version: order.version }))
    return { version: order.version, state: 'trying' }
  }

  return {
    state: () => (supervision ? readState(supervision.folder).last : null),
    async update(order: UpdateOrder) {
      if (busy) throw new CommandFault('conflict', 'an update is under way')
      busy = true
      try {
        return await update(order)
      } catch (error) {
        if (error instanceof CommandFault) throw error
        throw new CommandFault('failed', `the update was not made: ${messageOf(error)}`)
      } finally {
        busy = false
      }
    },
  }
}

/** Writes the program into a folder of its own, atomically. */
async function layReady(program: AgentProgram, { folder, base }: Supervision) {
  const target = path.join(folder, program.version)
  if (existsSync(target)) return
  const packages = await packagesFor(program, base)
  const fresh = `${target}.new`
  await rm(fresh, { recursive: true, force: true })
  for (const [file, text] of Object.entries(program.files)) {
    await mkdir(path.join(fresh, path.dirname(file)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(fresh, file), text, { flush: true })
  }
  for (const [name, place] of packages) {
    const link = path.join(fresh, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(place, link, 'junction')
  }
  await linkOwnPackages(fresh, target)
  await rename(fresh, target)
}

/**
 * Folder of the packages that the program needs. Throws when one is missing or has another version.
 */
async function packagesFor({ needs, version }: AgentProgram, base: string) {
  const found: [string, string][] = []
  for (const [name, wanted] of Object.entries(needs)) {
    const places = [
      'apps/edge/node_modules',
      'packages/device-protocol/node_modules',
      'node_modules',
    ]
    const place = places
      .map((one) => path.join(base, one, name))
      .find((one) => existsSync(path.join(one, 'package.json')))
    const there = place === undefined ? undefined : await installed(place)
    if (there !== wanted || place === undefined) {
      throw new CommandFault(
        'not_possible',
        `version ${version} needs ${name} ${wanted}, and ${there ?? 'none'} is installed here; install this version on the gateway by hand`,
      )
    }
    found.push([name, place])
  }
  return found
}

const installed = async (place: string) =>
  Installed.parse(JSON.parse(await readFile(path.join(place, 'package.json'), 'utf8'))).version
