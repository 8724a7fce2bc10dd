import type { IdsOf } from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'device-import', typeof import('./locales/device-import/en.json')>,
      IdsOf<'device-page', typeof import('./locales/device-page/en.json')>,
      IdsOf<'devices', typeof import('./locales/en.json')>,
      IdsOf<'gateway', typeof import('./locales/gateway/en.json')> {}
}
