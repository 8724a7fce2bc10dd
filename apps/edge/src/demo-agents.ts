import { tagOf } from './demo-models.ts'
import { ovenPoints, pumpStationPoints } from './demo-points.ts'
import type { AgentSettingsInput } from './settings.ts'

/** Connection settings that every demo agent needs. */
type DemoConnection = Pick<
  AgentSettingsInput,
  'activationKey' | 'endpoint' | 'plainHttp' | 'dataDir' | 'ca' | 'logLevel'
>

/** Settings of the agent that reads an oven line's Modbus TCP server on this port. */
export const ovenAgent = (
  connection: DemoConnection,
  port: number,
  pollMs = 500,
): AgentSettingsInput => ({
  ...connection,
  sources: [
    {
      type: 'modbus',
      name: 'oven',
      host: '127.0.0.1',
      port,
      pollMs,
      tags: ovenPoints.map(({ path, place, writable = false }) => ({
        name: tagOf('oven', path),
        ...place,
        writable,
      })),
    },
  ],
})

const pump1 = (name: string) => tagOf('pumps', `pump1/${name}`)
const level = tagOf('pumps', 'level')

/** Alarms that the agent of the station judges itself; the last one has no dead-band and comes and goes. */
const stationAlarms: AgentSettingsInput['alarms'] = [
  {
    name: 'Pump 1 runs dry',
    text: `The tank is at {${level}|1} % and pump 1 runs`,
    when: {
      all: [
        { path: pump1('running'), op: '==', value: true },
        { path: level, op: '<', value: 8, clear: 12 },
      ],
    },
    severity: 6,
    onDelayMs: 5_000,
    reset: true,
  },
  {
    name: 'Pump 1 stopped by its drive',
    text: 'The drive of pump 1 reports a fault',
    when: { path: pump1('fault'), op: '==', value: true },
    severity: 5,
    reset: true,
  },
  {
    name: 'Pump 1 at its current limit',
    text: 'The current is {value|1} A, the limit is {limit} A',
    when: { path: pump1('current'), op: '>', value: 20 },
    severity: 1,
    ack: false,
    chatter: { max: 0, withinMs: 0 },
  },
]

/** Settings of the agent that reads the pump station's OPC UA server on this port. */
export const pumpsAgent = (connection: DemoConnection, port: number): AgentSettingsInput => ({
  ...connection,
  sources: [
    {
      type: 'opcua',
      name: 'pumps',
      url: `opc.tcp://127.0.0.1:${port}/pumps`,
      samplingMs: 500,
      tags: pumpStationPoints.map(({ path, type, place, writable = false }) => ({
        name: tagOf('pumps', path),
        node: place.node,
        type,
        writable,
      })),
    },
  ],
  alarms: stationAlarms,
})

/** Settings of the agent that publishes the metrics of the machine it runs on. */
export const hostAgent = (connection: DemoConnection): AgentSettingsInput => ({
  ...connection,
  sources: [{ type: 'host', pollMs: 2_000 }],
})
