import { expect, test } from 'vitest'
import { deviceAlarms, isOfAlarms } from './device-alarms.ts'

test('attributes of a device say how many alarms are open, and the worst', () => {
  const none = { n_active_0: 0, n_active_3: 0, n_active_6: 0 }
  expect(deviceAlarms({})).toBeUndefined()
  expect(deviceAlarms({ alarms: none })).toBeUndefined()
  expect(deviceAlarms({ alarms: { ...none, n_active_3: 2, n_active_5: 1 } })).toEqual({
    total: 3,
    worst: 5,
  })
})

test('what people write under these names counts nothing', () => {
  const alarms = { n_active_9: 4, n_active_2: '3', other: 1, n_active_1: -1 }
  expect(deviceAlarms({ alarms })).toBeUndefined()
  expect(deviceAlarms({ alarms: null })).toBeUndefined()
  expect(deviceAlarms({ alarms: 'many' })).toBeUndefined()
  expect(['alarms', 'alarms_max_severity', 'power'].map(isOfAlarms)).toEqual([true, true, false])
})
