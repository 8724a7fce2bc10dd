import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { DataType as DataTypes, Variant as Variants } from 'node-opcua-client'
import { certificateStore, opcuaClient, opcuaServer } from './opcua-library.ts'
import { advance, fastClock, type Machine, plainMachine, readMachine } from './plant-machine.ts'
import { type Station, stationPhysics } from './plant-pumps-physics.ts'

type PumpsOptions = {
  port: number
  host: string
  seed: number
  speed: number
  /** Folder for the server's key; a temporary one when absent. */
  'data-dir'?: string | undefined
  /** Machine in its present state; absent: a new one with this seed. */
  machine?: Machine<Station>
}
type PumpsServer = {
  port: number
  url: string
  station: Station
  close: () => Promise<void>
}

const tickMs = 200
type Kind = 'Double' | 'Boolean'
type Node = {
  id: string
  kind: Kind
  get: () => number | boolean
  set?: (value: number) => boolean
}

/**
 * Starts a pump station as an OPC UA server without security, nodes `ns=1;s=Station.Level`,
 * `ns=1;s=Pump1.Speed` …
 */
export async function startPumps(options: PumpsOptions): Promise<PumpsServer> {
  const { port, host, seed, speed, machine = plainMachine(stationPhysics, seed) } = options
  const dir = options['data-dir'] ?? (await mkdtemp(path.join(os.tmpdir(), 'longreach-pumps-')))
  const library = await opcuaClient(() => undefined) // its notes are for its developers; errors are thrown
  const { OPCUAServer } = await opcuaServer()
  const server = new OPCUAServer({
    port,
    host,
    hostname: host,
    resourcePath: '/pumps',
    allowAnonymous: true,
    securityModes: [library.MessageSecurityMode.None],
    securityPolicies: [library.SecurityPolicy.None],
    disableDiscovery: true,
    serverCertificateManager: await certificateStore(dir, 'pki-server'),
    userCertificateManager: await certificateStore(dir, 'pki-users'),
    serverInfo: { applicationName: { text: 'Longreach demo pump station' } },
  })
  await server.initialize()
  const space = server.engine.addressSpace
  if (!space) throw new Error('the OPC UA server has no address space')
  const own = space.getOwnNamespace()
  const folder = own.addObject({
    organizedBy: space.rootFolder.objects,
    browseName: 'PumpStation',
    nodeId: 's=PumpStation',
  })
  for (const node of nodesOf(machine)) {
    own.addVariable({
      componentOf: folder,
      browseName: node.id,
      nodeId: `s=${node.id}`,
      dataType: node.kind,
      minimumSamplingInterval: 100,
      value: accessOf(node, library),
    })
  }
  await server.start()
  const clock = fastClock(speed)
  const timer = setInterval(() => advance(machine, clock()), tickMs)
  const chosen = server.endpoints[0]?.port ?? port
  return {
    port: chosen,
    url: `opc.tcp://${host}:${chosen}/pumps`,
    station: machine.state,
    async close() {
      clearInterval(timer)
      await server.shutdown(0)
      if (options['data-dir'] === undefined) await rm(dir, { recursive: true, force: true })
    },
  }
}

type Library = {
  Variant: typeof Variants
  DataType: typeof DataTypes
  StatusCodes: Awaited<ReturnType<typeof opcuaClient>>['StatusCodes']
}

function accessOf({ kind, get, set }: Node, { Variant, DataType, StatusCodes }: Library) {
  return {
    get: () => new Variant({ dataType: DataType[kind], value: get() }),
    ...(set && {
      set: ({ value }: Variants) =>
        typeof value === 'number' && set(value) ? StatusCodes.Good : StatusCodes.BadOutOfRange,
    }),
  }
}

const names = {
  level: 'Station.Level',
  inflow: 'Station.Inflow',
  flow: 'Station.Flow',
  pressure: 'Station.Pressure',
  running: 'Running',
  fault: 'Fault',
  speedSetPoint: 'SpeedSetPoint',
  speed: 'Speed',
  current: 'Current',
  bearing: 'BearingTemperature',
} as const
const browseNameOf = (name: string) => names[name as keyof typeof names]

/** OPC UA variable for each measurement: `Station.Level`, `Pump1.Speed`. */
function nodesOf(machine: Machine<Station>): Node[] {
  return Object.entries(readMachine(machine, machine.at)).map(([path, value]) => {
    const [place = '', name] = path.split('/')
    const pump = machine.state.pumps[place === 'pump1' ? 0 : 1]
    const node: Node = {
      id:
        name === undefined
          ? browseNameOf(place)
          : `${place.replace('p', 'P')}.${browseNameOf(name)}`,
      kind: typeof value === 'boolean' ? 'Boolean' : 'Double',
      get: () => readMachine(machine, Date.now())[path] ?? value,
    }
    if (name !== 'speedSetPoint') return node
    const set = (wanted: number) => {
      if (!(wanted >= 0 && wanted <= 100)) return false
      pump.speedSetPoint = wanted
      return true
    }
    return { ...node, set }
  })
}
