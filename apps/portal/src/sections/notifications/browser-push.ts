/** Address of the service worker that shows messages; it takes the whole portal. */
const workerPath = '/push-worker.js'

/** True where the browser can show messages: with a service worker, over https or on this machine. */
export const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Worker of this browser, if messages were turned on once; undefined for none. */
const knownWorker = () =>
  canPush() ? navigator.serviceWorker.getRegistration(workerPath) : Promise.resolve(undefined)

/** SHA-256 of the endpoint of this browser's subscription in base64url; null where it has none. */
export async function ownEndpointHash() {
  const known = await (await knownWorker())?.pushManager.getSubscription()
  if (!known) return null
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(known.endpoint))
  return toBase64Url(hash)
}

/** End of this browser's subscription: its push service takes no more messages for it. */
export async function unsubscribeBrowser() {
  await (await (await knownWorker())?.pushManager.getSubscription())?.unsubscribe()
}

/** Subscription of this browser for the key of the installation; undefined when the person refuses. */
export async function subscribeBrowser(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const worker = await navigator.serviceWorker.register(workerPath)
  await navigator.serviceWorker.ready
  const known = await worker.pushManager.getSubscription()
  // One for another key can get no message of this installation.
  if (known && serverKeyOf(known) !== publicKey) await known.unsubscribe()
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
}

const serverKeyOf = ({ options: { applicationServerKey: key } }: PushSubscription) =>
  key && toBase64Url(key)

const toBase64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Name of the browser and the system for the list: `Firefox, Linux`. */
export function browserLabel(agent = navigator.userAgent) {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? 'Browser'
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(agent)?.[0]
  return [names[browser] ?? browser, system].filter((part) => part !== undefined).join(', ')
}
