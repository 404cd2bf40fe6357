import { byDefault, word } from '../platform/settings/readers.ts'
import { settingsGroup } from '../platform/settings/settings-group.ts'

declare module '../platform/settings/config.ts' {
  interface Config {
    /** Which tools the MCP server of the service offers. */
    readonly mcpTools: 'off' | 'read' | 'write'
  }
}

export const mcpSettings = settingsGroup(
  { MCP_TOOLS: byDefault(word(['off', 'read', 'write']), 'read') },
  { toConfig: ({ MCP_TOOLS }) => ({ mcpTools: MCP_TOOLS as 'off' | 'read' | 'write' }) },
)
