import { Component, type ReactNode } from 'react';
import { ErrorScreen } from './error-screen.tsx';
import { forgetFailedScreens } from './lazy-screen.tsx';

type State = { error: unknown } | { error: null };

/** Shows the error screen in the place of what broke, until the reader goes elsewhere. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey?: string }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('Something threw nothing') };
  }

  override componentDidUpdate(before: { resetKey?: string }) {
    if (before.resetKey === this.props.resetKey || this.state.error === null) return;
    forgetFailedScreens();
    this.setState({ error: null });
  }

  override render() {
    return this.state.error === null ? this.props.children : <ErrorScreen error={this.state.error} />;
  }
}
