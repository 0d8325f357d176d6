/** Where the Worker is. The web build can be pointed elsewhere; by itself it talks to where it was loaded from. */
export const API_BASE: string = import.meta.env.VITE_API_BASE ?? '/api';
export const AUTH_BASE: string = import.meta.env.VITE_AUTH_BASE ?? `${API_BASE}/auth`;

export function realtimeBase(): string {
  return import.meta.env.VITE_REALTIME_BASE ?? `${window.location.origin.replace(/^http/, 'ws')}/ws`;
}
