import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DemoPlan, PlannedMachine } from '@longreach/edge/demo-plant-plan'
import type { PlantPlan } from '@longreach/edge/plant-plan'
import { z } from 'zod'
import type { FleetMember } from './demo-fleet.ts'
import type { DemoMachine } from './demo-machines.ts'
import { runDemoProcess } from './demo-process.ts'
import { fleetIncidents, ovenIncidents, stationIncidents } from './demo-story.ts'

/**
 * State of the demo's past: the time when the demo was made, and whether all past values are
 * written.
 */
const Story = z.object({ began: z.number(), told: z.boolean() })
type Story = z.output<typeof Story>

/** Device of the demo and its simulated machine. */
export type PlannedDevice = {
  name: string
  organization: string
  deviceId: string
  kind: PlannedMachine['kind']
  plan: PlantPlan
  /** Prefix of its model paths; absent: it has no past. */
  pathBelow?: string
}

type Made = { machines: readonly DemoMachine[]; fleet: readonly FleetMember[] }

const quarterMs = 900_000

/** Simulated machines, with the incidents planned for each. */
export function plannedDevices({ machines, fleet }: Made, began: number) {
  const own = machines.map(({ name, organization, deviceId, activationKey }) => ({
    name: name as string,
    organization,
    deviceId,
    activationKey,
    ...behind(name, began),
    dataDir: `${name}-agent`,
    pollMs: 500,
  }))
  const played = fleet.filter(({ link }) => link !== 'never')
  const ovens = played.map(({ label, organization, deviceId, activationKey, link }, index) => ({
    name: label,
    organization,
    deviceId,
    activationKey,
    kind: 'oven' as const,
    pathBelow: 'TunnelOven:1',
    plan: {
      seed: 1_000 + 17 * index,
      laterMs: (index - 4) * quarterMs, // each begins its day a little earlier or later
      link: link === 'poor' ? ('poor' as const) : ('steady' as const),
      incidents: fleetIncidents(began, index),
    },
    dataDir: `fleet/${label}`,
    pollMs: 2_000,
  }))
  return [...own, ...ovens]
}

function behind(name: DemoMachine['name'], began: number) {
  const link = 'steady' as const
  if (name === 'oven') {
    const plan = { seed: 147, laterMs: 0, link, incidents: ovenIncidents(began) }
    return { kind: 'oven' as const, plan, pathBelow: 'OvenLine:1' }
  }
  if (name === 'pumps') {
    const plan = { seed: 32, link, incidents: stationIncidents(began) }
    return { kind: 'pumps' as const, plan, pathBelow: 'PumpStation:1' }
  }
  return { kind: 'gateway' as const, plan: { seed: 1, link, incidents: [] } }
}

type Play = Made & { endpoint: string; began: number; folder: string }

/**
 * Starts the program that simulates all machines, each with an agent. It loads its modules at once;
 * `play` sends it the plan and returns the ports of the first machines.
 */
export function openPlant(tell: (line: string) => void) {
  const { promise: ready, resolve } = Promise.withResolvers<Record<string, number>>()
  const onLine = (line: string) => {
    const ports = readyPorts(line)
    if (ports) resolve(ports)
    else tell(line)
  }
  const running = runDemoProcess({
    file: 'apps/edge/src/demo-plant.ts',
    onLine,
    onTrouble: tell,
  })
  const play = async ({ endpoint, began, folder, ...made }: Play) => {
    const machines = plannedDevices(made, began).map((planned) => {
      const { name, kind, activationKey, plan, pollMs } = planned
      return {
        name,
        kind,
        activationKey,
        plan,
        pollMs,
        dataDir: path.join(folder, planned.dataDir),
      }
    })
    for (const { dataDir } of machines) await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const plan: DemoPlan = { endpoint, dataDir: folder, began, machines }
    running.send(plan)
    return ready
  }
  return { pid: running.pid, stop: running.stop, play }
}

function readyPorts(line: string) {
  if (!line.startsWith('{"ready"')) return undefined
  return (JSON.parse(line) as { ports: Record<string, number> }).ports
}

const storyFile = (folder: string) => path.join(folder, 'story.json')

/** Writes the state file atomically, because it is rewritten while others read it. */
export async function saveStory(folder: string, story: Story) {
  const fresh = `${storyFile(folder)}.new`
  await writeFile(fresh, JSON.stringify(story), { mode: 0o600 })
  await rename(fresh, storyFile(folder))
}

/** State of an earlier start; a demo without one begins now, with a past of its own. */
export async function readStory(folder: string, now: number): Promise<Story> {
  try {
    return Story.parse(JSON.parse(await readFile(storyFile(folder), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { began: now, told: true }
  }
}
