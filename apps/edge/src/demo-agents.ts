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
})

/** Settings of the agent that publishes the metrics of the machine it runs on. */
export const hostAgent = (connection: DemoConnection): AgentSettingsInput => ({
  ...connection,
  sources: [{ type: 'host', pollMs: 2_000 }],
})
