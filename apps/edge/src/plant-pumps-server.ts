import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { DataType as DataTypes, Variant as Variants } from 'node-opcua-client'
import { certificateStore, opcuaClient, opcuaServer } from './opcua-library.ts'
import { createStation, type Pump, type Station, stationStepper } from './plant-pumps-physics.ts'

export type PumpsOptions = {
  port: number
  host: string
  seed: number
  speed: number
  /** Where the server keeps its key; a temporary folder when absent. */
  'data-dir'?: string | undefined
}
export type PumpsServer = {
  port: number
  url: string
  station: Station
  close: () => Promise<void>
}

const stepMs = 200
type Kind = 'Double' | 'Boolean'
type Node = {
  id: string
  kind: Kind
  get: () => number | boolean
  set?: (value: number) => boolean
}

/** A pump station as an OPC UA server without security, nodes `ns=1;s=Station.Level`, `ns=1;s=Pump1.Speed` … */
export async function startPumps(options: PumpsOptions): Promise<PumpsServer> {
  const { port, host, seed, speed } = options
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
  const station = createStation()
  for (const node of nodesOf(station)) {
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
  const step = stationStepper(seed)
  const timer = setInterval(() => step(station, (speed * stepMs) / 1_000), stepMs)
  const chosen = server.endpoints[0]?.port ?? port
  return {
    port: chosen,
    url: `opc.tcp://${host}:${chosen}/pumps`,
    station,
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

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

function nodesOf(station: Station): Node[] {
  const double = (id: string, digits: number, get: () => number): Node => ({
    id,
    kind: 'Double',
    get: () => rounded(get(), digits),
  })
  return [
    double('Station.Level', 2, () => station.level),
    double('Station.Inflow', 1, () => station.inflow),
    double('Station.Flow', 1, () => station.outflow),
    double('Station.Pressure', 2, () => station.pressure),
    ...station.pumps.flatMap((pump, index) => pumpNodes(`Pump${index + 1}`, pump, double)),
  ]
}

function pumpNodes(
  name: string,
  pump: Pump,
  double: (id: string, digits: number, get: () => number) => Node,
): Node[] {
  return [
    { id: `${name}.Running`, kind: 'Boolean', get: () => pump.running },
    { id: `${name}.Fault`, kind: 'Boolean', get: () => pump.faultFor > 0 },
    {
      ...double(`${name}.SpeedSetPoint`, 1, () => pump.speedSetPoint),
      set(value) {
        if (!(value >= 0 && value <= 100)) return false
        pump.speedSetPoint = value
        return true
      },
    },
    double(`${name}.Speed`, 1, () => pump.speed),
    double(`${name}.Current`, 1, () => pump.current),
    double(`${name}.BearingTemperature`, 1, () => pump.bearing),
  ]
}
