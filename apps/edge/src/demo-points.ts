import type { ModbusSettings, OpcuaSettings } from './source-settings.ts'
import type { z } from 'zod'
import type { AgentSettings } from './settings.ts'

type Sources = NonNullable<z.input<typeof AgentSettings>['sources']>[number]
type ModbusTag = Extract<Sources, { type: 'modbus' }>['tags'][number]

/**
 * Send policy of a demo value: a change beyond the deadband, and at least every `everyMs` if given.
 */
export type Policy = { deadband?: number; minIntervalMs: number; everyMs?: number }

/** Value of a demo machine: its place in the model, its meaning, and how it is read and sent. */
export type Point<Place> = {
  /** Model path, such as `zone1/temperature`; with dots it is the end of the tag name. */
  path: string
  type: 'double' | 'integer' | 'boolean' | 'string'
  label: string
  description: string
  unit?: string
  /** Range; a value outside it is refused when written. */
  min?: number
  max?: number
  writable?: boolean
  policy: Policy
  place: Place
}
type ModbusPoint = Point<
  Pick<ModbusTag, 'area' | 'address'> &
    Partial<Pick<ModbusSettings['tags'][number], 'type' | 'scale'>>
>
type OpcuaPoint = Point<Pick<OpcuaSettings['tags'][number], 'node'>>
type HostPoint = Point<undefined>

const slow: Policy = { deadband: 0.2, minIntervalMs: 1_000, everyMs: 60_000 }
const quick: Policy = { minIntervalMs: 1_000, everyMs: 60_000 }
const gauge: Policy = { deadband: 0.5, minIntervalMs: 1_000, everyMs: 60_000 }

const zonePoints = (zone: number): ModbusPoint[] => [
  {
    path: `zone${zone}/temperature`,
    type: 'double',
    label: 'Temperature',
    description: `Air temperature in zone ${zone}`,
    unit: '°C',
    min: 0,
    max: 300,
    policy: slow,
    place: { area: 'input', address: zone - 1, type: 'int16', scale: 0.1 },
  },
  {
    path: `zone${zone}/setPoint`,
    type: 'double',
    label: 'Set-point',
    description: `Wanted temperature in zone ${zone}`,
    unit: '°C',
    min: 20,
    max: 250,
    writable: true,
    policy: quick,
    place: { area: 'holding', address: zone - 1, type: 'uint16', scale: 0.1 },
  },
  {
    path: `zone${zone}/power`,
    type: 'double',
    label: 'Heating power',
    description: `Share of the heaters of zone ${zone} that is on`,
    unit: '%',
    min: 0,
    max: 100,
    policy: gauge,
    place: { area: 'input', address: 2 + zone, type: 'uint16', scale: 0.1 },
  },
]

export const ovenPoints: readonly ModbusPoint[] = [
  ...[1, 2, 3].flatMap(zonePoints),
  {
    path: 'conveyor/speed',
    type: 'double',
    label: 'Speed',
    description: 'Speed of the conveyor through the oven',
    unit: 'm/min',
    min: 0,
    max: 6,
    policy: { deadband: 0.02, minIntervalMs: 1_000, everyMs: 60_000 },
    place: { area: 'input', address: 6, type: 'uint16', scale: 0.01 },
  },
  {
    path: 'conveyor/speedSetPoint',
    type: 'double',
    label: 'Speed set-point',
    description: 'Wanted speed of the conveyor',
    unit: 'm/min',
    min: 0,
    max: 6,
    writable: true,
    policy: quick,
    place: { area: 'holding', address: 3, type: 'uint16', scale: 0.01 },
  },
  {
    path: 'products',
    type: 'double',
    label: 'Products',
    description: 'Products that left the oven since it was installed',
    min: 0,
    max: 4_294_967_295,
    policy: { minIntervalMs: 5_000, everyMs: 60_000 },
    place: { area: 'input', address: 7, type: 'uint32' },
  },
  {
    path: 'energy',
    type: 'double',
    label: 'Energy',
    description: 'Energy that the heaters used since the oven was switched on',
    unit: 'kWh',
    min: 0,
    max: 100_000_000,
    policy: { deadband: 0.05, minIntervalMs: 5_000, everyMs: 60_000 },
    place: { area: 'input', address: 9, type: 'float32' },
  },
  {
    path: 'heaterEnabled',
    type: 'boolean',
    label: 'Heaters enabled',
    description: 'Release of all heaters',
    writable: true,
    policy: quick,
    place: { area: 'coil', address: 0 },
  },
  {
    path: 'doorOpen',
    type: 'boolean',
    label: 'Door open',
    description: 'The door at the entry is open',
    policy: quick,
    place: { area: 'discrete', address: 0 },
  },
  {
    path: 'fault',
    type: 'boolean',
    label: 'Heater fault',
    description: 'A heater does not heat although it should',
    policy: quick,
    place: { area: 'discrete', address: 1 },
  },
]

const pumpPoint = (
  pump: number,
  node: string,
  point: Omit<OpcuaPoint, 'path' | 'place'> & { name: string },
): OpcuaPoint => {
  const { name, ...rest } = point
  return { ...rest, path: `pump${pump}/${name}`, place: { node: `ns=1;s=Pump${pump}.${node}` } }
}

const pumpPoints = (pump: number): OpcuaPoint[] => [
  pumpPoint(pump, 'Running', {
    name: 'running',
    type: 'boolean',
    label: 'Running',
    description: `Pump ${pump} is switched on`,
    policy: quick,
  }),
  pumpPoint(pump, 'Fault', {
    name: 'fault',
    type: 'boolean',
    label: 'Tripped',
    description: `Pump ${pump} was stopped by its bearing protection`,
    policy: quick,
  }),
  pumpPoint(pump, 'SpeedSetPoint', {
    name: 'speedSetPoint',
    type: 'double',
    label: 'Speed set-point',
    description: `Wanted speed of pump ${pump} while it runs`,
    unit: '%',
    min: 0,
    max: 100,
    writable: true,
    policy: quick,
  }),
  pumpPoint(pump, 'Speed', {
    name: 'speed',
    type: 'double',
    label: 'Speed',
    description: `Speed of pump ${pump}`,
    unit: '%',
    min: 0,
    max: 100,
    policy: gauge,
  }),
  pumpPoint(pump, 'Current', {
    name: 'current',
    type: 'double',
    label: 'Motor current',
    description: `Current of the motor of pump ${pump}`,
    unit: 'A',
    min: 0,
    max: 40,
    policy: gauge,
  }),
  pumpPoint(pump, 'BearingTemperature', {
    name: 'bearing',
    type: 'double',
    label: 'Bearing temperature',
    description: `Temperature of the drive-side bearing of pump ${pump}`,
    unit: '°C',
    min: -20,
    max: 150,
    policy: slow,
  }),
]

type Words = readonly [label: string, description: string, unit: string]
type Limits = readonly [min: number, max: number]

const stationPoint = (
  path: string,
  node: string,
  { words: [label, description, unit], limits: [min, max] }: { words: Words; limits: Limits },
): OpcuaPoint => ({
  path,
  type: 'double',
  label,
  description,
  unit,
  min,
  max,
  policy: slow,
  place: { node: `ns=1;s=Station.${node}` },
})

export const pumpStationPoints: readonly OpcuaPoint[] = [
  stationPoint('level', 'Level', {
    words: ['Tank level', 'How full the tank is', '%'],
    limits: [0, 100],
  }),
  stationPoint('inflow', 'Inflow', {
    words: ['Inflow', 'What runs into the tank', 'm³/h'],
    limits: [0, 200],
  }),
  stationPoint('flow', 'Flow', {
    words: ['Flow', 'What the pumps deliver', 'm³/h'],
    limits: [0, 200],
  }),
  stationPoint('pressure', 'Pressure', {
    words: ['Pressure', 'Pressure behind the pumps', 'bar'],
    limits: [0, 10],
  }),
  ...pumpPoints(1),
  ...pumpPoints(2),
]

const hostPoint = (path: string, [label, description, unit]: Words, max?: number): HostPoint => ({
  path,
  type: 'double',
  label,
  description,
  unit,
  ...(max !== undefined && { min: 0, max }),
  policy: gauge,
  place: undefined,
})

export const hostPoints: readonly HostPoint[] = [
  hostPoint('cpu/load', ['CPU load', 'Share of the processors that is busy', '%'], 100),
  hostPoint('memory/used', ['Memory used', 'Share of the memory that is in use', '%'], 100),
  hostPoint('memory/available', ['Memory available', 'Memory that programs can still get', 'MB']),
  hostPoint('disk/used', ['Disk used', 'Share of the disk that is full', '%'], 100),
  hostPoint('network/received', ['Received', 'What comes in over the network', 'kB/s']),
  hostPoint('network/sent', ['Sent', 'What goes out over the network', 'kB/s']),
  hostPoint('temperature', ['Temperature', 'Processor temperature, where there is a sensor', '°C']),
  {
    ...hostPoint('uptime', ['Uptime', 'Time since the machine was started', 's']),
    type: 'integer',
  },
]

/** Labels of the machines' parts, by their place in the model. */
export const partLabels: Record<string, string> = {
  zone1: 'Zone 1',
  zone2: 'Zone 2',
  zone3: 'Zone 3',
  conveyor: 'Conveyor',
  pump1: 'Pump 1',
  pump2: 'Pump 2',
  cpu: 'Processor',
  memory: 'Memory',
  disk: 'Disk',
  network: 'Network',
}
