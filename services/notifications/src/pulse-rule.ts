/** Notification rule of the pulse, by which each of its alarms is told on its own. */
export const pulseNotification = '00000000-0000-4000-8000-000070756c74'

/** Channel that ends here: what it carries has gone the way of every message. */
export const pulseChannel = 'pulse'

/** Channel of calls to programs outside that miss the pulse. */
export const watcherChannel = 'watcher'
