// Shows messages of the portal while it is closed, and opens the page of a message.

// A new version takes over at once, also in tabs that were open before.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, lang, tag, severity, path } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      lang,
      tag,
      // Later news of an alarm is heard too, though it takes the place of the earlier.
      renotify: true,
      icon: '/favicon.svg',
      // A severe one stays until somebody looks at it.
      requireInteraction: severity >= 5,
      data: { path },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const page = new URL(event.notification.data.path, self.location.origin)
  // A message opens this portal and no other site.
  if (page.origin !== self.location.origin) return
  event.waitUntil(open(page.href))
})

/** A tab that shows the page comes to the front; no other is led away from what somebody does there. */
async function open(address) {
  // A tab that was reloaded past the cache is not this worker's, and is found all the same.
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const same = windows.find(({ url }) => url === address)
  return same ? same.focus() : self.clients.openWindow(address)
}
