import net from 'node:net'
import { expect, test } from 'vitest'
import { checkSettings } from './settings.ts'
import { withSimulation } from './simulation.ts'

test('a simulated oven line listens and is what the agent reads', async () => {
  const given = checkSettings({ activationKey: 'AAAA-BBBB', endpoint: 'http://localhost:8080' })
  const { sources, activationKey } = await withSimulation(given)
  const [oven] = sources
  expect({ activationKey, type: oven?.type }).toEqual({
    activationKey: 'AAAA-BBBB',
    type: 'modbus',
  })
  const port = oven?.type === 'modbus' ? oven.port : 0
  const socket = net.connect(port, '127.0.0.1')
  await new Promise<void>((open, refused) => socket.once('connect', open).once('error', refused))
  socket.destroy()
})
