/**
 * Names that devices in the field have built in. They are this wire's constants and appear nowhere else.
 */
export const pairingProtocol = 'corvina_mqtt_v1'
/** What device libraries before 2021 call the same protocol. */
export const oldPairingProtocol = 'astarte_mqtt_v1'

export const configurationFrom = 'com.corvina.control.pub.Config'
export const configurationTo = 'com.corvina.control.sub.Config'
export const alarmsFrom = 'com.corvina.control.pub.DeviceAlarm'
export const alarmsTo = 'com.corvina.control.sub.DeviceAlarm'

/** Interfaces that every device has, with the versions that devices in the field announce. */
export const baseInterfaces = [
  { name: configurationTo, major: 0, minor: 2 },
  { name: configurationFrom, major: 0, minor: 2 },
  { name: alarmsFrom, major: 2, minor: 0 },
  { name: alarmsTo, major: 1, minor: 0 },
] as const

/** Interfaces made by compiling a preset are called `com.exor.` and 10 alphanumerics. */
export const interfacePrefix = 'com.exor.'
