/** Mail server and sender: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
export type MailServer = { url: string; from: string }

export type Transport = ReturnType<typeof transportOf>

/** Connection options of the address of a mail server. */
export function transportOf(address: string) {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    // TLS is required when a password is sent to another host; otherwise it is used where offered.
    requireTLS: !secure && !local && user !== '',
  }
}
