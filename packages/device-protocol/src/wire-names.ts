/**
 * Pairing protocol name that existing devices have built in. Such names occur only in this file.
 */
export const pairingProtocol = 'corvina_mqtt_v1'
/** Name of the same protocol in device libraries before 2021. */
export const oldPairingProtocol = 'astarte_mqtt_v1'

export const configurationFrom = 'com.corvina.control.pub.Config'
export const configurationTo = 'com.corvina.control.sub.Config'
export const alarmsFrom = 'com.corvina.control.pub.DeviceAlarm'
export const alarmsTo = 'com.corvina.control.sub.DeviceAlarm'

/** Interfaces of every device, with the versions that existing devices announce. */
export const baseInterfaces = [
  { name: configurationTo, major: 0, minor: 2 },
  { name: configurationFrom, major: 0, minor: 2 },
  { name: alarmsFrom, major: 2, minor: 0 },
  { name: alarmsTo, major: 1, minor: 0 },
] as const

/** Prefix of the interfaces of compiled presets; 10 alphanumeric characters follow. */
export const interfacePrefix = 'com.exor.'
