import type { IdsOf } from '@longreach/ui/use-words'
import type deviceImport from './locales/device-import/en.json'
import type devicePage from './locales/device-page/en.json'
import type devices from './locales/en.json'
import type gateway from './locales/gateway/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'device-import', typeof deviceImport>,
      IdsOf<'device-page', typeof devicePage>,
      IdsOf<'devices', typeof devices>,
      IdsOf<'gateway', typeof gateway> {}
}
