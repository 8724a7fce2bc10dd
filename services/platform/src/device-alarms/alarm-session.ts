/** Connection of a device, as far as its alarms depend on it. */
export type AlarmSession = {
  /** Serial number of its client certificate. */
  certificate: string
  /** Random number of the connection. */
  id: string
  /** Time in ms at which the device asked for its configuration; absent before. */
  askedAt?: number
}

export const newAlarmSession = (certificate: string): AlarmSession => ({
  certificate,
  id: crypto.randomUUID(),
})

/**
 * Key of a connection in reports and commands: serial number of the certificate and number of the connection.
 * Before the device has asked for its configuration it is the serial number alone: a client that connects anew
 * first sends what it had not got rid of, and no longer knows these alarms.
 */
export const sessionKey = ({ certificate, id, askedAt }: AlarmSession) =>
  askedAt === undefined ? certificate : `${certificate}.${id}`
