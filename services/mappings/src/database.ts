import type { DevicesTables } from './devices/devices-tables.ts'
import type { ImportsTables } from './imports/imports-tables.ts'
import type { ModelsTables } from './models/models-tables.ts'
import type { PresetsTables } from './presets/presets-tables.ts'
import type { SearchTables } from './search/search-tables.ts'

/** The tables of all parts, as the migrations make them: a transaction may change several. */
export type MappingsDb = DevicesTables & ImportsTables & ModelsTables & PresetsTables & SearchTables
