// Shows messages of the portal while it is closed, and opens the page of a message.

self.addEventListener('push', (event) => {
  const { title, body, tag, severity, path } = event.data.json()
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
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

async function open(address) {
  const [window] = await self.clients.matchAll({ type: 'window' })
  if (!window) return self.clients.openWindow(address)
  await window.navigate(address)
  return window.focus()
}
