"""Tables whose truth is known by construction: kinds of tables with a signal, designs of noise, patients."""
